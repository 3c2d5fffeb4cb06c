<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>ColorEditor</name>
    <message>
        <source>Choose a colour</source>
        <translation>Farbe wählen</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
</context>
<context>
    <name>FileEditor</name>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
</context>
<context>
    <name>Gizmo</name>
    <message>
        <source>%1 %2 %3 m</source>
        <translation>%1 %2 %3 m</translation>
    </message>
    <message>
        <source>%1°</source>
        <translation>%1°</translation>
    </message>
    <message>
        <source>× %1</source>
        <translation>× %1</translation>
    </message>
    <message>
        <source>× %1 %2 %3</source>
        <translation>× %1 %2 %3</translation>
    </message>
</context>
<context>
    <name>ListEditor</name>
    <message>
        <source>Edit as a table</source>
        <translation>Als Tabelle bearbeiten</translation>
    </message>
</context>
<context>
    <name>PlacedElements</name>
    <message>
        <source>A comment cannot be moved.</source>
        <translation>Ein Kommentar kann nicht verschoben werden.</translation>
    </message>
    <message>
        <source>What stands in another file is moved there, or by a node around it.</source>
        <translation>Was in einer anderen Datei steht, wird dort verschoben, oder durch einen Knoten darum.</translation>
    </message>
    <message>
        <source>This is a part of a component; select that.</source>
        <translation>Das ist ein Teil einer Komponente; diese auswählen.</translation>
    </message>
    <message>
        <source>Select what is to be moved, turned or scaled.</source>
        <translation>Auswählen, was verschoben, gedreht oder skaliert werden soll.</translation>
    </message>
    <message>
        <source>Nothing in %1 has translation, rotation and scale3d.</source>
        <translation>Nichts in %1 hat translation, rotation und scale3d.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of %2 follows %3: take the link back to move it.</source>
        <translation>&apos;%1&apos; von %2 folgt %3: zum Verschieben den Link zurücknehmen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of %2 cannot be read.</source>
        <translation>&apos;%1&apos; von %2 ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The transformation matrix of %1 takes the place of its translation, rotation and scale.</source>
        <translation>Die Transformationsmatrix von %1 tritt an die Stelle von Verschiebung, Drehung und Skalierung.</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>Nichts ist ausgewählt.</translation>
    </message>
</context>
<context>
    <name>QDialog</name>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vor</translation>
    </message>
    <message>
        <source>cannot read &apos;%1&apos;: %2</source>
        <translation>&apos;%1&apos; ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>Open in the &amp;Editor</source>
        <translation>Im &amp;Editor öffnen</translation>
    </message>
    <message>
        <source>With the program that the desktop has for such files</source>
        <translation>Mit dem Programm, das der Desktop für solche Dateien hat</translation>
    </message>
</context>
<context>
    <name>QProgressDialog</name>
    <message>
        <source>&amp;Interrupt</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>%1 s so far
%2</source>
        <translation>bisher %1 s
%2</translation>
    </message>
</context>
<context>
    <name>StatusFigures</name>
    <message>
        <source>Seconds of the scene in a second of the clock</source>
        <translation>Sekunden der Szene in einer Sekunde der Uhr</translation>
    </message>
    <message>
        <source>Frames shown and steps done in a second, and the duration of a step</source>
        <translation>Gezeigte Bilder und Schritte je Sekunde, und die Dauer eines Schritts</translation>
    </message>
    <message>
        <source>Time %1 s   Step %2</source>
        <translation>Zeit %1 s   Schritt %2</translation>
    </message>
    <message>
        <source>Step %1: %2 s so far</source>
        <translation>Schritt %1: bisher %2 s</translation>
    </message>
    <message>
        <source>A step takes long. The line below says what it does.</source>
        <translation>Ein Schritt dauert lange. Die Zeile unten sagt, was er tut.</translation>
    </message>
    <message>
        <source>&amp;Interrupt it</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>A step takes long.</source>
        <translation>Ein Schritt dauert lange.</translation>
    </message>
    <message>
        <source>%1 frames/s   %2 steps/s   %3 ms</source>
        <translation>%1 Bilder/s   %2 Schritte/s   %3 ms</translation>
    </message>
    <message>
        <source>: steps take longer than their time</source>
        <translation>: Schritte dauern länger als ihre Zeit</translation>
    </message>
</context>
<context>
    <name>TrustedPlugins</name>
    <message>
        <source>Native code</source>
        <translation>Nativer Code</translation>
    </message>
    <message>
        <source>The scene would load native code that is not installed:

%1

It can do all that you can. Load it only if you trust where it comes from. The answer is kept until the file changes.</source>
        <translation>Die Szene würde nativen Code laden, der nicht installiert ist:

%1

Er kann alles, was Sie können. Laden Sie ihn nur, wenn Sie seiner Herkunft vertrauen. Die Antwort gilt, bis die Datei sich ändert.</translation>
    </message>
    <message>
        <source>&amp;Trust and load</source>
        <translation>&amp;Vertrauen und laden</translation>
    </message>
</context>
<context>
    <name>UnderCursor</name>
    <message>
        <source>%1 (points %2)</source>
        <translation>%1 (Punkte %2)</translation>
    </message>
    <message>
        <source>%1 of %2 at (%3, %4, %5) m</source>
        <translation>%1 von %2 bei (%3, %4, %5) m</translation>
    </message>
</context>
<context>
    <name>ViewCube</name>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>Bottom</source>
        <translation>Unten</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>Vorne</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Hinten</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>attach with a spring</source>
        <translation>mit einer Feder anfassen</translation>
    </message>
    <message>
        <source>attach gently (follows slowly)</source>
        <translation>sanft anfassen (folgt langsam)</translation>
    </message>
    <message>
        <source>attach by a constraint</source>
        <translation>durch eine Zwangsbedingung anfassen</translation>
    </message>
    <message>
        <source>fix the point</source>
        <translation>den Punkt festhalten</translation>
    </message>
    <message>
        <source>release the fixed point</source>
        <translation>den festen Punkt loslassen</translation>
    </message>
    <message>
        <source>add a force</source>
        <translation>eine Kraft ausüben</translation>
    </message>
    <message>
        <source>remove the element</source>
        <translation>das Element entfernen</translation>
    </message>
    <message>
        <source>carve: remove what is near</source>
        <translation>abtragen: entfernen, was nahe ist</translation>
    </message>
    <message>
        <source>refine: divide the element</source>
        <translation>verfeinern: das Element teilen</translation>
    </message>
    <message>
        <source>cut along a path</source>
        <translation>entlang eines Weges schneiden</translation>
    </message>
    <message>
        <source>sew: two presses join two places</source>
        <translation>nähen: zwei Klicks verbinden zwei Stellen</translation>
    </message>
    <message>
        <source>add the view to the recorded camera</source>
        <translation>die Ansicht der aufgezeichneten Kamera hinzufügen</translation>
    </message>
    <message>
        <source>start or end the recorded flight</source>
        <translation>den aufgezeichneten Flug starten oder beenden</translation>
    </message>
    <message>
        <source>Stiffness of the spring</source>
        <translation>Steifigkeit der Feder</translation>
    </message>
    <message>
        <source>Strength of the force</source>
        <translation>Stärke der Kraft</translation>
    </message>
    <message>
        <source>Radius in which elements are removed</source>
        <translation>Radius, in dem Elemente entfernt werden</translation>
    </message>
    <message>
        <source>Edges that are longer are divided</source>
        <translation>Längere Kanten werden geteilt</translation>
    </message>
    <message>
        <source>Depth of the cut below what is drawn</source>
        <translation>Tiefe des Schnitts unter dem Gezeichneten</translation>
    </message>
    <message>
        <source>Stiffness of the stitch</source>
        <translation>Steifigkeit des Stichs</translation>
    </message>
    <message>
        <source>point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>triangle</source>
        <translation>Dreieck</translation>
    </message>
    <message>
        <source>sphere</source>
        <translation>Kugel</translation>
    </message>
    <message>
        <source>tetrahedron</source>
        <translation>Tetraeder</translation>
    </message>
    <message>
        <source>solid</source>
        <translation>Körper</translation>
    </message>
    <message>
        <source>capsule</source>
        <translation>Kapsel</translation>
    </message>
    <message>
        <source>cylinder</source>
        <translation>Zylinder</translation>
    </message>
    <message>
        <source>oriented box</source>
        <translation>gedrehter Quader</translation>
    </message>
    <message>
        <source>box</source>
        <translation>Quader</translation>
    </message>
    <message>
        <source>ray</source>
        <translation>Strahl</translation>
    </message>
    <message>
        <source>von Mises stress</source>
        <translation>Von-Mises-Spannung</translation>
    </message>
    <message>
        <source>principal strain</source>
        <translation>Hauptdehnung</translation>
    </message>
    <message>
        <source>displacement</source>
        <translation>Verschiebung</translation>
    </message>
    <message>
        <source>velocity</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>Analyse</translation>
    </message>
    <message>
        <source>BaryCoords</source>
        <translation>Baryzentrische Koordinaten</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>Bedienung</translation>
    </message>
    <message>
        <source>Default_Group</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>Force</source>
        <translation>Kraft</translation>
    </message>
    <message>
        <source>Force info</source>
        <translation>Zur Kraft</translation>
    </message>
    <message>
        <source>Free Motion</source>
        <translation>Freie Bewegung</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Jacobian</source>
        <translation>Jacobi-Matrix</translation>
    </message>
    <message>
        <source>Line search</source>
        <translation>Liniensuche</translation>
    </message>
    <message>
        <source>Material</source>
        <translation>Material</translation>
    </message>
    <message>
        <source>Materials</source>
        <translation>Materialien</translation>
    </message>
    <message>
        <source>Multithreading</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>Newton</source>
        <translation>Newton-Verfahren</translation>
    </message>
    <message>
        <source>Orthotropic</source>
        <translation>Orthotropie</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Gebiete</translation>
    </message>
    <message>
        <source>Rest States</source>
        <translation>Ruhezustände</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>States</source>
        <translation>Zustände</translation>
    </message>
    <message>
        <source>Stats</source>
        <translation>Statistik</translation>
    </message>
    <message>
        <source>Stopping criteria</source>
        <translation>Abbruchbedingungen</translation>
    </message>
    <message>
        <source>Texturing</source>
        <translation>Texturen</translation>
    </message>
    <message>
        <source>Thin elements</source>
        <translation>Dünne Elemente</translation>
    </message>
    <message>
        <source>Transformation</source>
        <translation>Transformation</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Vector</source>
        <translation>Vektoren</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektoren</translation>
    </message>
    <message>
        <source>Viewport</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>Visualization</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>insert %1 elements</source>
        <translation>%1 Elemente einfügen</translation>
    </message>
    <message>
        <source>insert %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>remove %1 elements</source>
        <translation>%1 Elemente entfernen</translation>
    </message>
    <message>
        <source>remove comment</source>
        <translation>Kommentar entfernen</translation>
    </message>
    <message>
        <source>remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>move %1 elements</source>
        <translation>%1 Elemente verschieben</translation>
    </message>
    <message>
        <source>move comment</source>
        <translation>Kommentar verschieben</translation>
    </message>
    <message>
        <source>move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>duplicate %1 elements</source>
        <translation>%1 Elemente duplizieren</translation>
    </message>
    <message>
        <source>duplicate comment</source>
        <translation>Kommentar duplizieren</translation>
    </message>
    <message>
        <source>duplicate %1</source>
        <translation>%1 duplizieren</translation>
    </message>
    <message>
        <source>comment out %1 elements</source>
        <translation>%1 Elemente auskommentieren</translation>
    </message>
    <message>
        <source>comment out %1</source>
        <translation>%1 auskommentieren</translation>
    </message>
    <message>
        <source>comment in</source>
        <translation>wieder einschalten</translation>
    </message>
    <message>
        <source>rename to &apos;%1&apos;</source>
        <translation>in &apos;%1&apos; umbenennen</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>%1 setzen</translation>
    </message>
    <message>
        <source>reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>inline %1</source>
        <translation>%1 einsetzen</translation>
    </message>
    <message>
        <source>make prefab %1</source>
        <translation>Prefab %1 machen</translation>
    </message>
    <message>
        <source>Change &apos;%1&apos; to &apos;%2&apos;</source>
        <translation>&apos;%1&apos; in &apos;%2&apos; ändern</translation>
    </message>
    <message>
        <source>Remove &apos;%1&apos;</source>
        <translation>&apos;%1&apos; entfernen</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>there is no node &apos;%1&apos; any more</source>
        <translation>der Knoten &apos;%1&apos; ist nicht mehr da</translation>
    </message>
    <message>
        <source>there is no &apos;%1&apos; any more</source>
        <translation>&apos;%1&apos; ist nicht mehr da</translation>
    </message>
    <message>
        <source>there is nothing to take back</source>
        <translation>es gibt nichts zurückzunehmen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is in no file of the scene</source>
        <translation>&apos;%1&apos; steht in keiner Datei der Szene</translation>
    </message>
    <message>
        <source>an include gives &apos;%1&apos; of &apos;%2&apos; another value, in %3: edit it there</source>
        <translation>ein Include gibt &apos;%1&apos; von &apos;%2&apos; einen anderen Wert, in %3: dort bearbeiten</translation>
    </message>
    <message>
        <source>an override cannot set &apos;%1&apos; of &apos;%2&apos;: %3; edit it in the included file</source>
        <translation>von außen lässt sich &apos;%1&apos; von &apos;%2&apos; nicht setzen: %3; in der eingefügten Datei bearbeiten</translation>
    </message>
    <message>
        <source>an override cannot take &apos;%1&apos; from &apos;%2&apos;: edit it in the included file</source>
        <translation>von außen lässt sich &apos;%1&apos; von &apos;%2&apos; nicht wegnehmen: in der eingefügten Datei bearbeiten</translation>
    </message>
    <message>
        <source>an include gives &apos;%1&apos; of &apos;%2&apos;, in %3: edit it there</source>
        <translation>ein Include gibt &apos;%1&apos; von &apos;%2&apos;, in %3: dort bearbeiten</translation>
    </message>
    <message>
        <source>&apos;%1&apos; comes from &apos;%2&apos;, of which an include can change attributes only: edit it in that file</source>
        <translation>&apos;%1&apos; kommt aus &apos;%2&apos;, davon kann ein Include nur Attribute ändern: in jener Datei bearbeiten</translation>
    </message>
    <message>
        <source>a name is changed by renaming the object</source>
        <translation>ein Name ändert sich, indem das Objekt umbenannt wird</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of &apos;%2&apos; cannot be taken back</source>
        <translation>&apos;%1&apos; von &apos;%2&apos; lässt sich nicht zurücknehmen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not given &apos;%2&apos; by a file</source>
        <translation>keine Datei gibt &apos;%1&apos; ein &apos;%2&apos;</translation>
    </message>
    <message>
        <source>an include cannot switch an attribute off: edit it in the included file</source>
        <translation>ein Include kann kein Attribut ausschalten: in der eingefügten Datei bearbeiten</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is given elsewhere: clear it there</source>
        <translation>&apos;%1&apos; wird anderswo gegeben: dort löschen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no attribute &apos;_%2&apos;</source>
        <translation>&apos;%1&apos; hat kein Attribut &apos;_%2&apos;</translation>
    </message>
    <message>
        <source>there is no element to add</source>
        <translation>es gibt kein Element zum Hinzufügen</translation>
    </message>
    <message>
        <source>the root of a scene cannot be removed</source>
        <translation>die Wurzel einer Szene lässt sich nicht entfernen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be a name: paths could not lead to it</source>
        <translation>&apos;%1&apos; kann kein Name sein: Pfade könnten nicht dorthin führen</translation>
    </message>
    <message>
        <source>the name &apos;%1&apos; is taken in &apos;%2&apos;</source>
        <translation>den Namen &apos;%1&apos; gibt es in &apos;%2&apos; schon</translation>
    </message>
    <message>
        <source>the root of a scene cannot be moved</source>
        <translation>die Wurzel einer Szene lässt sich nicht verschieben</translation>
    </message>
    <message>
        <source>an element cannot be moved into another file</source>
        <translation>ein Element lässt sich nicht in eine andere Datei verschieben</translation>
    </message>
    <message>
        <source>a node cannot be moved into itself</source>
        <translation>ein Knoten lässt sich nicht in sich selbst verschieben</translation>
    </message>
    <message>
        <source>a node with several parents cannot be moved</source>
        <translation>ein Knoten mit mehreren Eltern lässt sich nicht verschieben</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds &quot;--&quot;, which cannot stand in a comment</source>
        <translation>&apos;%1&apos; enthält &quot;--&quot;, das in keinem Kommentar stehen kann</translation>
    </message>
    <message>
        <source>there is no element in the comment</source>
        <translation>in dem Kommentar ist kein Element</translation>
    </message>
    <message>
        <source>this file is merged with the node around it: its text cannot stand there</source>
        <translation>diese Datei verschmilzt mit dem Knoten darum: ihr Text kann dort nicht stehen</translation>
    </message>
    <message>
        <source>only includes and prefabs can be inlined</source>
        <translation>nur Includes und Prefabs lassen sich einsetzen</translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation>die Datei lässt sich nicht lesen</translation>
    </message>
    <message>
        <source>the scene would not be the same with the text of this file in it</source>
        <translation>die Szene wäre mit dem Text dieser Datei nicht dieselbe</translation>
    </message>
    <message>
        <source>nothing is selected</source>
        <translation>nichts ist ausgewählt</translation>
    </message>
    <message>
        <source>the root of a scene cannot be a prefab of it</source>
        <translation>die Wurzel einer Szene kann kein Prefab von ihr sein</translation>
    </message>
    <message>
        <source>only nodes and components can be a prefab</source>
        <translation>nur Knoten und Komponenten können ein Prefab sein</translation>
    </message>
    <message>
        <source>what becomes a prefab must stand behind each other in one node</source>
        <translation>was ein Prefab wird, muss in einem Knoten hintereinander stehen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is part of the scene</source>
        <translation>&apos;%1&apos; ist ein Teil der Szene</translation>
    </message>
    <message>
        <source>the scene would not be the same with this part in another file</source>
        <translation>die Szene wäre mit diesem Teil in einer anderen Datei nicht dieselbe</translation>
    </message>
    <message>
        <source>a name cannot be empty</source>
        <translation>ein Name kann nicht leer sein</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be a name: paths need &apos;/&apos;, &apos;@&apos;, &apos;[&apos;, &apos;]&apos; and spaces for themselves</source>
        <translation>&apos;%1&apos; kann kein Name sein: Pfade brauchen &apos;/&apos;, &apos;@&apos;, &apos;[&apos;, &apos;]&apos; und Leerzeichen für sich</translation>
    </message>
    <message>
        <source>the element is not in the text any more</source>
        <translation>das Element steht nicht mehr im Text</translation>
    </message>
    <message>
        <source>only elements have names and attributes</source>
        <translation>nur Elemente haben Namen und Attribute</translation>
    </message>
    <message>
        <source>there is no element to insert</source>
        <translation>es gibt kein Element zum Einfügen</translation>
    </message>
    <message>
        <source>only elements hold others</source>
        <translation>nur Elemente enthalten andere</translation>
    </message>
    <message>
        <source>the root cannot be there twice</source>
        <translation>die Wurzel kann nicht zweimal da sein</translation>
    </message>
    <message>
        <source>this cannot be duplicated</source>
        <translation>das lässt sich nicht duplizieren</translation>
    </message>
    <message>
        <source>there is a &apos;%1&apos; in this node already</source>
        <translation>in diesem Knoten gibt es schon ein &apos;%1&apos;</translation>
    </message>
    <message>
        <source>the root cannot be a comment</source>
        <translation>die Wurzel kann kein Kommentar sein</translation>
    </message>
    <message>
        <source>only elements are commented out</source>
        <translation>nur Elemente werden auskommentiert</translation>
    </message>
    <message>
        <source>&lt;%1&gt; holds a comment or &quot;--&quot;, which cannot stand in a comment</source>
        <translation>&lt;%1&gt; enthält einen Kommentar oder &quot;--&quot;, was in keinem Kommentar stehen kann</translation>
    </message>
    <message>
        <source>add a frame</source>
        <translation>einen Rahmen hinzufügen</translation>
    </message>
</context>
<context>
    <name>core kinds</name>
    <message>
        <source>Animation Loop</source>
        <translation>Animationsschleife</translation>
    </message>
    <message>
        <source>Broad Phase</source>
        <translation>Grobe Kollisionssuche</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Collision Group Manager</source>
        <translation>Kollisionsgruppen</translation>
    </message>
    <message>
        <source>Collision Model</source>
        <translation>Kollisionsmodell</translation>
    </message>
    <message>
        <source>Collision Pipeline</source>
        <translation>Kollisionserkennung</translation>
    </message>
    <message>
        <source>Constraint Correction</source>
        <translation>Korrektur der Zwangsbedingungen</translation>
    </message>
    <message>
        <source>Constraint Solver</source>
        <translation>Löser der Zwangsbedingungen</translation>
    </message>
    <message>
        <source>Contact Manager</source>
        <translation>Kontaktverwaltung</translation>
    </message>
    <message>
        <source>Context Object</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Controller</source>
        <translation>Steuerung</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Berechnung</translation>
    </message>
    <message>
        <source>Exporter</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Force Field</source>
        <translation>Kraftfeld</translation>
    </message>
    <message>
        <source>Geometry Algorithms</source>
        <translation>Geometrische Verfahren</translation>
    </message>
    <message>
        <source>Intersection Method</source>
        <translation>Schnittverfahren</translation>
    </message>
    <message>
        <source>Lagrangian Constraint</source>
        <translation>Lagrangesche Zwangsbedingung</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Licht</translation>
    </message>
    <message>
        <source>Linear Solver</source>
        <translation>Linearer Löser</translation>
    </message>
    <message>
        <source>Linear System</source>
        <translation>Lineares System</translation>
    </message>
    <message>
        <source>Loader</source>
        <translation>Lader</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Mass</source>
        <translation>Masse</translation>
    </message>
    <message>
        <source>Mesh Loader</source>
        <translation>Netzlader</translation>
    </message>
    <message>
        <source>Miscellaneous</source>
        <translation>Verschiedenes</translation>
    </message>
    <message>
        <source>Narrow Phase</source>
        <translation>Genaue Kollisionssuche</translation>
    </message>
    <message>
        <source>Nodal Property</source>
        <translation>Eigenschaft des Knotens</translation>
    </message>
    <message>
        <source>Nonlinear Solver</source>
        <translation>Nichtlinearer Löser</translation>
    </message>
    <message>
        <source>Ode Solver</source>
        <translation>Zeitintegration</translation>
    </message>
    <message>
        <source>Ordering Method</source>
        <translation>Sortierverfahren</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Projective Constraint</source>
        <translation>Projektive Zwangsbedingung</translation>
    </message>
    <message>
        <source>Scene Utility</source>
        <translation>Hilfen der Szene</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Shader</source>
        <translation>Shader</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Topological Mapping</source>
        <translation>Topologische Abbildung</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>Topologie</translation>
    </message>
    <message>
        <source>Topology Modifier</source>
        <translation>Topologieänderung</translation>
    </message>
    <message>
        <source>Topology Utility</source>
        <translation>Hilfen der Topologie</translation>
    </message>
    <message>
        <source>Visual</source>
        <translation>Darstellung</translation>
    </message>
    <message>
        <source>Visual Loop</source>
        <translation>Darstellungsschleife</translation>
    </message>
    <message>
        <source>Visual Model</source>
        <translation>Visuelles Modell</translation>
    </message>
    <message>
        <source>Articulation</source>
        <translation>Gelenke</translation>
    </message>
    <message>
        <source>Haptic Device</source>
        <translation>Haptisches Gerät</translation>
    </message>
    <message>
        <source>Haptic Rendering</source>
        <translation>Haptische Darstellung</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::Analyser</name>
    <message>
        <source>old names to today&apos;s</source>
        <translation>alte Namen in heutige ändern</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::Document</name>
    <message>
        <source>&apos;%1&apos; cannot be written: %2</source>
        <translation>&apos;%1&apos; kann nicht geschrieben werden: %2</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::FilePreview</name>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>%1 tetrahedra</source>
        <translation>%1 Tetraeder</translation>
    </message>
    <message>
        <source>%1 hexahedra</source>
        <translation>%1 Hexaeder</translation>
    </message>
    <message>
        <source>%1 other volumes</source>
        <translation>%1 andere Volumenelemente</translation>
    </message>
    <message>
        <source>%1 triangles</source>
        <translation>%1 Dreiecke</translation>
    </message>
    <message>
        <source>%1 quads</source>
        <translation>%1 Vierecke</translation>
    </message>
    <message>
        <source>%1 × %2 × %3 large</source>
        <translation>%1 × %2 × %3 groß</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::HistoryPanel</name>
    <message>
        <source>History of the document</source>
        <translation>Verlauf des Dokuments</translation>
    </message>
    <message>
        <source>as opened</source>
        <translation>wie geöffnet</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::LibraryPanel</name>
    <message>
        <source>Search in the library</source>
        <translation>In der Bibliothek suchen</translation>
    </message>
    <message>
        <source>Name, alias, words of the help, unit</source>
        <translation>Name, Hilfe, Einheit</translation>
    </message>
    <message>
        <source>Components</source>
        <translation>Komponenten</translation>
    </message>
    <message>
        <source>Help of the component</source>
        <translation>Hilfe der Komponente</translation>
    </message>
    <message>
        <source>&amp;Insert</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Put it into the selected node, or behind the selected component</source>
        <translation>In den ausgewählten Knoten, oder hinter die ausgewählte Komponente</translation>
    </message>
    <message>
        <source>Open &amp;Example</source>
        <translation>&amp;Beispiel öffnen</translation>
    </message>
    <message>
        <source>Open its example scene in a tab</source>
        <translation>Öffnet die Beispielszene in einem Reiter</translation>
    </message>
    <message>
        <source>Fa&amp;vourite</source>
        <translation>Fa&amp;vorit</translation>
    </message>
    <message>
        <source>Keep it among the favourites</source>
        <translation>Zu den Favoriten</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
    <message>
        <source>Fits here</source>
        <translation>Passt hier</translation>
    </message>
    <message>
        <source>Favourites</source>
        <translation>Favoriten</translation>
    </message>
    <message>
        <source>Used last</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>Structure</source>
        <translation>Aufbau</translation>
    </message>
    <message>
        <source>Prefabs</source>
        <translation>Prefabs</translation>
    </message>
    <message>
        <source>&lt;h3&gt;%1&lt;/h3&gt;A prefab: a file of share/Objects takes its place.</source>
        <translation>&lt;h3&gt;%1&lt;/h3&gt;Ein Prefab: eine Datei aus share/Objects tritt an seine Stelle.</translation>
    </message>
    <message>
        <source>&lt;h3&gt;include&lt;/h3&gt;Another scene file takes its place.</source>
        <translation>&lt;h3&gt;include&lt;/h3&gt;Eine andere Szenendatei tritt an seine Stelle.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Also called</source>
        <translation>Auch genannt</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Templates</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Authors</source>
        <translation>Autoren</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::LinkGraphPanel</name>
    <message>
        <source>&amp;Steps around the selection:</source>
        <translation>&amp;Schritte um die Auswahl:</translation>
    </message>
    <message>
        <source>How many links, or steps into a node or out of it, lead to what is shown</source>
        <translation>Wie viele Links, oder Schritte in einen Knoten oder aus ihm, zu dem Gezeigten führen</translation>
    </message>
    <message>
        <source>Graph of links</source>
        <translation>Graph der Links</translation>
    </message>
    <message>
        <source>Click: select. Double click: put in the middle. Wheel: zoom. Drag: move.</source>
        <translation>Klick: auswählen. Doppelklick: in die Mitte. Rad: Größe. Ziehen: verschieben.</translation>
    </message>
    <message>
        <source>%1 more are left out</source>
        <translation>%1 weitere sind weggelassen</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::LinksPanel</name>
    <message>
        <source>Links of the selected element</source>
        <translation>Links des ausgewählten Elements</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>Attribut</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>not in this file</source>
        <translation>nicht in dieser Datei</translation>
    </message>
    <message>
        <source>This element leads to</source>
        <translation>Dieses Element führt zu</translation>
    </message>
    <message>
        <source>This element leads to nothing</source>
        <translation>Dieses Element führt zu nichts</translation>
    </message>
    <message>
        <source>What leads here</source>
        <translation>Was hierher führt</translation>
    </message>
    <message>
        <source>Nothing leads here</source>
        <translation>Nichts führt hierher</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::MeshWizard</name>
    <message>
        <source>From Mesh to Simulation</source>
        <translation>Vom Netz zur Simulation</translation>
    </message>
    <message>
        <source>Mesh</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>A surface (.obj, .stl, .off) or a volume (.msh, .vtk, .vtu)</source>
        <translation>Eine Oberfläche (.obj, .stl, .off) oder ein Volumen (.msh, .vtk, .vtu)</translation>
    </message>
    <message>
        <source>Mesh file</source>
        <translation>Netzdatei</translation>
    </message>
    <message>
        <source>&amp;Browse...</source>
        <translation>&amp;Durchsuchen...</translation>
    </message>
    <message>
        <source>metres</source>
        <translation>Meter</translation>
    </message>
    <message>
        <source>centimetres</source>
        <translation>Zentimeter</translation>
    </message>
    <message>
        <source>millimetres</source>
        <translation>Millimeter</translation>
    </message>
    <message>
        <source>&amp;Lengths in the file are</source>
        <translation>&amp;Längen in der Datei sind</translation>
    </message>
    <message>
        <source>Choose a mesh</source>
        <translation>Netz wählen</translation>
    </message>
    <message>
        <source>Meshes (*.obj *.stl *.off *.msh *.gmsh *.vtk *.vtu *.veg *.inp *.trian *.gid);;All files (*)</source>
        <translation>Netze (*.obj *.stl *.off *.msh *.gmsh *.vtk *.vtu *.veg *.inp *.trian *.gid);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>Numbers may have units: 3 kPa, 1.1 g/cm^3, 2 mm</source>
        <translation>Zahlen dürfen Einheiten haben: 3 kPa, 1.1 g/cm^3, 2 mm</translation>
    </message>
    <message>
        <source>What it becomes</source>
        <translation>Was daraus wird</translation>
    </message>
    <message>
        <source>&amp;Soft body on a grid</source>
        <translation>&amp;Weicher Körper auf einem Gitter</translation>
    </message>
    <message>
        <source>Cubes around the surface deform it: no volume needed</source>
        <translation>Würfel um die Oberfläche verformen sie: kein Volumennetz nötig</translation>
    </message>
    <message>
        <source>Soft &amp;body of the file&apos;s elements</source>
        <translation>Weicher &amp;Körper aus den Elementen der Datei</translation>
    </message>
    <message>
        <source>Its tetrahedra or hexahedra</source>
        <translation>Ihre Tetraeder oder Hexaeder</translation>
    </message>
    <message>
        <source>&amp;Rigid body</source>
        <translation>&amp;Starrer Körper</translation>
    </message>
    <message>
        <source>Mass and inertia are those of the volume</source>
        <translation>Masse und Trägheit sind die des Volumens</translation>
    </message>
    <message>
        <source>&amp;Obstacle</source>
        <translation>&amp;Hindernis</translation>
    </message>
    <message>
        <source>Does not move</source>
        <translation>Bewegt sich nicht</translation>
    </message>
    <message>
        <source>&amp;Cloth</source>
        <translation>&amp;Tuch</translation>
    </message>
    <message>
        <source>A thin sheet</source>
        <translation>Ein dünnes Blatt</translation>
    </message>
    <message>
        <source>&amp;Young&apos;s modulus [Pa]</source>
        <translation>&amp;Elastizitätsmodul [Pa]</translation>
    </message>
    <message>
        <source>&amp;Poisson&apos;s ratio</source>
        <translation>&amp;Querkontraktionszahl</translation>
    </message>
    <message>
        <source>&amp;Density [kg/m^3]</source>
        <translation>Di&amp;chte [kg/m^3]</translation>
    </message>
    <message>
        <source>&amp;Thickness [m]</source>
        <translation>D&amp;icke [m]</translation>
    </message>
    <message>
        <source>Cells along the &amp;longest side</source>
        <translation>&amp;Zellen entlang der längsten Seite</translation>
    </message>
    <message>
        <source>&amp;Hold the points in a box</source>
        <translation>&amp;Punkte in einem Quader festhalten</translation>
    </message>
    <message>
        <source>From x y z [m]</source>
        <translation>Von x y z [m]</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>It &amp;touches others</source>
        <translation>&amp;Berührt andere</translation>
    </message>
    <message>
        <source>conjugate gradients</source>
        <translation>konjugierte Gradienten</translation>
    </message>
    <message>
        <source>direct</source>
        <translation>direkt</translation>
    </message>
    <message>
        <source>Direct: stiff and small bodies; conjugate gradients: soft and large ones</source>
        <translation>Direkt: steife und kleine Körper; konjugierte Gradienten: weiche und große</translation>
    </message>
    <message>
        <source>&amp;Equations are solved by</source>
        <translation>&amp;Gleichungslöser</translation>
    </message>
    <message>
        <source>A &amp;new document</source>
        <translation>Ein &amp;neues Dokument</translation>
    </message>
    <message>
        <source>Into the document that is sho&amp;wn</source>
        <translation>In das gezeigte D&amp;okument</translation>
    </message>
    <message>
        <source>Goes to</source>
        <translation>Kommt in</translation>
    </message>
    <message>
        <source>Scene</source>
        <translation>Szene</translation>
    </message>
    <message>
        <source>This text is made; all of it can be changed afterwards</source>
        <translation>Dieser Text entsteht; alles darin lässt sich danach ändern</translation>
    </message>
    <message>
        <source>It has neither faces nor tetrahedra nor hexahedra: nothing can be made of it.</source>
        <translation>Es hat weder Flächen noch Tetraeder noch Hexaeder: daraus lässt sich nichts machen.</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>%1 edges</source>
        <translation>%1 Kanten</translation>
    </message>
    <message>
        <source>%1 triangles</source>
        <translation>%1 Dreiecke</translation>
    </message>
    <message>
        <source>%1 quads</source>
        <translation>%1 Vierecke</translation>
    </message>
    <message>
        <source>%1 tetrahedra</source>
        <translation>%1 Tetraeder</translation>
    </message>
    <message>
        <source>%1 hexahedra</source>
        <translation>%1 Hexaeder</translation>
    </message>
    <message>
        <source>%1 other elements</source>
        <translation>%1 andere Elemente</translation>
    </message>
    <message>
        <source>Its size is %1 x %2 x %3, from %4 to %5</source>
        <translation>Die Größe ist %1 x %2 x %3, von %4 bis %5</translation>
    </message>
    <message>
        <source>The surface is closed; volume %1</source>
        <translation>Die Oberfläche ist geschlossen; Volumen %1</translation>
    </message>
    <message>
        <source>The surface is open: volumes and masses are those of the box around it</source>
        <translation>Die Oberfläche ist offen: Volumen und Massen sind die des Quaders darum</translation>
    </message>
    <message>
        <source>Young&apos;s modulus must be a pressure above 0.</source>
        <translation>Der Elastizitätsmodul muss ein Druck über 0 sein.</translation>
    </message>
    <message>
        <source>Poisson&apos;s ratio must be between -1 and 0.5.</source>
        <translation>Die Querkontraktionszahl muss zwischen -1 und 0.5 liegen.</translation>
    </message>
    <message>
        <source>The box needs two corners of three lengths each.</source>
        <translation>Der Quader braucht zwei Ecken mit je drei Längen.</translation>
    </message>
    <message>
        <source>The density must be above 0.</source>
        <translation>Die Dichte muss über 0 liegen.</translation>
    </message>
    <message>
        <source>The thickness must be a length above 0.</source>
        <translation>Die Dicke muss eine Länge über 0 sein.</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::MessagesPanel</name>
    <message>
        <source>Messages about the scene</source>
        <translation>Meldungen zur Szene</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
    <message>
        <source>Make this change: double click, or Return</source>
        <translation>Diese Änderung ausführen: Doppelklick, oder Eingabetaste</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::ModelerWindow</name>
    <message>
        <source>restored</source>
        <translation>wiederhergestellt</translation>
    </message>
    <message numerus="yes">
        <source>The program ended before %n document(s) were saved. Their changes are here again; Undo takes them back.</source>
        <translation>
            <numerusform>Das Programm endete, bevor %n Dokument gespeichert war. Die Änderungen sind wieder da; Rückgängig nimmt sie zurück.</numerusform>
            <numerusform>Das Programm endete, bevor %n Dokumente gespeichert waren. Die Änderungen sind wieder da; Rückgängig nimmt sie zurück.</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no old name that has one of today.</source>
        <translation>Es gibt keinen alten Namen, der einen heutigen hat.</translation>
    </message>
    <message numerus="yes">
        <source>%n name(s) changed; Undo takes it back.</source>
        <translation>
            <numerusform>%n Name geändert; Rückgängig nimmt es zurück.</numerusform>
            <numerusform>%n Namen geändert; Rückgängig nimmt es zurück.</numerusform>
        </translation>
    </message>
    <message>
        <source>The scene cannot be written to &apos;%1&apos;.</source>
        <translation>Die Szene kann nicht nach &apos;%1&apos; geschrieben werden.</translation>
    </message>
    <message>
        <source>runSofa was started.</source>
        <translation>runSofa wurde gestartet.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be started.</source>
        <translation>&apos;%1&apos; lässt sich nicht starten.</translation>
    </message>
    <message>
        <source>Open In&amp;cluded File</source>
        <translation>Ein&amp;gebundene Datei öffnen</translation>
    </message>
    <message>
        <source>In&amp;line</source>
        <translation>Einset&amp;zen</translation>
    </message>
    <message>
        <source>Put the text of the included file in the place of the include, with its attributes</source>
        <translation>Den Text der eingebundenen Datei mit seinen Attributen an die Stelle des Includes setzen</translation>
    </message>
    <message>
        <source>Make Prefa&amp;b...</source>
        <translation>&amp;Prefab erstellen...</translation>
    </message>
    <message>
        <source>Put the selection into a file of its own, and an include in its place; links lead where they did</source>
        <translation>Die Auswahl in eine eigene Datei, und ein Include an ihre Stelle; Links führen wie zuvor</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>Written: %1. It leads out of itself by %2: where it is used, these must be there.</source>
        <translation>Geschrieben: %1. Es führt mit %2 aus sich heraus: wo es verwendet wird, muss dies da sein.</translation>
    </message>
    <message>
        <source>Make prefab: a file of Objects/ beside the scene is used by its name</source>
        <translation>Prefab erstellen: eine Datei aus Objects/ neben der Szene wird mit ihrem Namen verwendet</translation>
    </message>
    <message>
        <source>Parts of scenes (*.xml)</source>
        <translation>Teile von Szenen (*.xml)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>A new scene with what collisions need</source>
        <translation>Eine neue Szene mit dem, was Kollisionen brauchen</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>Ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>Open scenes</source>
        <translation>Szenen öffnen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Write the scene to its file</source>
        <translation>Die Szene in ihre Datei schreiben</translation>
    </message>
    <message>
        <source>Save &amp;As...</source>
        <translation>Speichern &amp;unter...</translation>
    </message>
    <message>
        <source>Write the scene to another file</source>
        <translation>Die Szene in eine andere Datei schreiben</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Close the document</source>
        <translation>Das Dokument schließen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Take the last step back</source>
        <translation>Den letzten Schritt zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Do again what was taken back</source>
        <translation>Zurückgenommenes wieder ausführen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>A&amp;usschneiden</translation>
    </message>
    <message>
        <source>Remove the selection, to paste it elsewhere</source>
        <translation>Die Auswahl entfernen, um sie anderswo einzufügen</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the selection</source>
        <translation>Die Auswahl kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Insert what was copied, in or behind the selection</source>
        <translation>Kopiertes in oder hinter der Auswahl einfügen</translation>
    </message>
    <message>
        <source>&amp;Duplicate</source>
        <translation>&amp;Duplizieren</translation>
    </message>
    <message>
        <source>A copy of the selection behind it; links within lead to the copy</source>
        <translation>Eine Kopie der Auswahl dahinter; Links innerhalb führen zur Kopie</translation>
    </message>
    <message>
        <source>Re&amp;name</source>
        <translation>Umbe&amp;nennen</translation>
    </message>
    <message>
        <source>Another name; links follow</source>
        <translation>Ein anderer Name; Links folgen</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Remove the selection</source>
        <translation>Die Auswahl entfernen</translation>
    </message>
    <message>
        <source>C&amp;omment Out or In</source>
        <translation>Ausk&amp;ommentieren oder zurück</translation>
    </message>
    <message>
        <source>Switch the selection off by making it a comment, or on again</source>
        <translation>Die Auswahl als Kommentar ausschalten, oder wieder ein</translation>
    </message>
    <message>
        <source>Move &amp;Up</source>
        <translation>Na&amp;ch oben</translation>
    </message>
    <message>
        <source>Before the element before it</source>
        <translation>Vor das Element davor</translation>
    </message>
    <message>
        <source>Move Do&amp;wn</source>
        <translation>N&amp;ach unten</translation>
    </message>
    <message>
        <source>Behind the element behind it</source>
        <translation>Hinter das Element dahinter</translation>
    </message>
    <message>
        <source>Move Ou&amp;t</source>
        <translation>&amp;Heraus</translation>
    </message>
    <message>
        <source>Out of its node, behind that</source>
        <translation>Aus dem Knoten, dahinter</translation>
    </message>
    <message>
        <source>Move &amp;In</source>
        <translation>H&amp;inein</translation>
    </message>
    <message>
        <source>Into the node before it</source>
        <translation>In den Knoten davor</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Search in the tree</source>
        <translation>Im Baum suchen</translation>
    </message>
    <message>
        <source>Find in the Te&amp;xt</source>
        <translation>Im Te&amp;xt suchen</translation>
    </message>
    <message>
        <source>The next place in the text of what stands in the search field</source>
        <translation>Die nächste Stelle im Text mit dem, was im Suchfeld steht</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is nowhere.</source>
        <translation>&apos;%1&apos; kommt nicht vor.</translation>
    </message>
    <message>
        <source>Com&amp;plete</source>
        <translation>&amp;Vervollständigen</translation>
    </message>
    <message>
        <source>What may be written at the cursor of the text</source>
        <translation>Was an der Schreibmarke stehen darf</translation>
    </message>
    <message>
        <source>Follow &amp;Link</source>
        <translation>Dem &amp;Link folgen</translation>
    </message>
    <message>
        <source>To what the link at the cursor leads to</source>
        <translation>Zu dem, wohin der Link an der Schreibmarke führt</translation>
    </message>
    <message>
        <source>&amp;Old Names to Today&apos;s</source>
        <translation>Alte Na&amp;men zu heutigen</translation>
    </message>
    <message>
        <source>Components and attributes of older scenes get the names that they have today</source>
        <translation>Komponenten und Attribute älterer Szenen bekommen ihre heutigen Namen</translation>
    </message>
    <message>
        <source>&amp;Run in runSofa</source>
        <translation>In &amp;runSofa starten</translation>
    </message>
    <message>
        <source>Open the scene, as it is now, in runSofa</source>
        <translation>Die Szene, wie sie jetzt ist, in runSofa öffnen</translation>
    </message>
    <message>
        <source>From &amp;Mesh to Simulation...</source>
        <translation>Vom Net&amp;z zur Simulation...</translation>
    </message>
    <message>
        <source>Make a body, an obstacle or a cloth of a mesh file</source>
        <translation>Aus einer Netzdatei einen Körper, ein Hindernis oder ein Tuch machen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>New from &amp;Preset</source>
        <translation>Neu aus &amp;Vorlage</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>Zuletzt &amp;geöffnet</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Insert from the Library</source>
        <translation>Aus der &amp;Bibliothek einfügen</translation>
    </message>
    <message>
        <source>Type what it is called in the library&apos;s search; Return inserts it</source>
        <translation>Den Namen im Suchfeld der Bibliothek tippen; die Eingabetaste fügt ein</translation>
    </message>
    <message>
        <source>Pre&amp;ferences...</source>
        <translation>Eins&amp;tellungen...</translation>
    </message>
    <message>
        <source>Colours, letters, the view, the text and its safety copies</source>
        <translation>Farben, Schrift, die Ansicht, der Text und seine Sicherungskopien</translation>
    </message>
    <message>
        <source>&amp;Scene</source>
        <translation>&amp;Szene</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>&amp;Über</translation>
    </message>
    <message>
        <source>About the Modeler</source>
        <translation>Über den Modeler</translation>
    </message>
    <message>
        <source>Modeler %1
%2</source>
        <translation>Modeler %1
%2</translation>
    </message>
    <message>
        <source>&amp;Size of letters</source>
        <translation>&amp;Schriftgröße</translation>
    </message>
    <message>
        <source>pt</source>
        <translation>pt</translation>
    </message>
    <message>
        <source>Letters of the text</source>
        <translation>Schrift des Textes</translation>
    </message>
    <message>
        <source>as other letters</source>
        <translation>wie andere Schrift</translation>
    </message>
    <message>
        <source>Width of a &amp;tab</source>
        <translation>Breite eines &amp;Tabulators</translation>
    </message>
    <message>
        <source>letters</source>
        <translation>Zeichen</translation>
    </message>
    <message>
        <source>How far a tab goes in the text</source>
        <translation>Wie weit ein Tabulator im Text springt</translation>
    </message>
    <message>
        <source>The Tab &amp;key writes spaces</source>
        <translation>Die Tabulatortaste schreibt &amp;Leerzeichen</translation>
    </message>
    <message>
        <source>As many as to the next place of a tab</source>
        <translation>So viele wie bis zur nächsten Stelle eines Tabulators</translation>
    </message>
    <message>
        <source>&amp;Wrap long lines</source>
        <translation>Lange Zeilen &amp;umbrechen</translation>
    </message>
    <message>
        <source>What is longer than the window goes on below</source>
        <translation>Was länger ist als das Fenster, geht darunter weiter</translation>
    </message>
    <message>
        <source>Safety &amp;copy every</source>
        <translation>Si&amp;cherungskopie alle</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>How often what was not saved is copied, for the case that the program ends by force</source>
        <translation>Wie oft Ungespeichertes kopiert wird, falls das Programm gewaltsam endet</translation>
    </message>
    <message>
        <source>&amp;Editing</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Bibliothek</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Messages (%1 errors, %2 warnings)</source>
        <translation>Meldungen (%1 Fehler, %2 Warnungen)</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Another program has changed &apos;%1&apos; since it was opened. Write over what is there now?</source>
        <translation>Ein anderes Programm hat &apos;%1&apos; seit dem Öffnen geändert. Überschreiben, was jetzt dort steht?</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>Save scene as</source>
        <translation>Szene speichern unter</translation>
    </message>
    <message>
        <source>Scenes (*.scn *.xml)</source>
        <translation>Szenen (*.scn *.xml)</translation>
    </message>
    <message>
        <source>Scenes (*.scn *.xml);;All files (*)</source>
        <translation>Szenen (*.scn *.xml);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has changes that were not saved.</source>
        <translation>&apos;%1&apos; hat Änderungen, die nicht gespeichert sind.</translation>
    </message>
    <message>
        <source>%1[*] – Modeler</source>
        <translation>%1[*] – Modeler</translation>
    </message>
    <message>
        <source>Modeler</source>
        <translation>Modeler</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>Line %1, column %2</source>
        <translation>Zeile %1, Spalte %2</translation>
    </message>
    <message>
        <source>It cannot be moved there.</source>
        <translation>Dorthin kann es nicht verschoben werden.</translation>
    </message>
    <message>
        <source>The file of the selected include or prefab, or of what it brings, in a tab</source>
        <translation>Die Datei des ausgewählten Includes oder Prefabs, oder von dem, was es bringt, in einem Reiter</translation>
    </message>
    <message>
        <source>This stands in %1: a double click, or Return, opens it there.</source>
        <translation>Das steht in %1: ein Doppelklick oder Eingabe öffnet es dort.</translation>
    </message>
    <message>
        <source>The &amp;Modeler</source>
        <translation>Der &amp;Modeler</translation>
    </message>
    <message>
        <source>&amp;Components</source>
        <translation>&amp;Komponenten</translation>
    </message>
    <message>
        <source>&amp;Scene Files</source>
        <translation>&amp;Szenendateien</translation>
    </message>
    <message>
        <source>The documentation (docs/%1) is not installed.</source>
        <translation>Die Dokumentation (docs/%1) ist nicht installiert.</translation>
    </message>
    <message>
        <source>&amp;Examples</source>
        <translation>&amp;Beispiele</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::PointPicker</name>
    <message>
        <source>There is no state with points to pick here.</source>
        <translation>Hier gibt es keinen Zustand mit Punkten zum Auswählen.</translation>
    </message>
    <message numerus="yes">
        <source>Click on points to take them into %1, or out of it: %n are. Return ends, Escape takes back.</source>
        <translation>
            <numerusform>Auf Punkte klicken, um sie in %1 aufzunehmen oder herauszunehmen: %n ist darin. Die Eingabetaste beendet, Escape nimmt zurück.</numerusform>
            <numerusform>Auf Punkte klicken, um sie in %1 aufzunehmen oder herauszunehmen: %n sind darin. Die Eingabetaste beendet, Escape nimmt zurück.</numerusform>
        </translation>
    </message>
    <message>
        <source>pick %1</source>
        <translation>%1 wählen</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::PreviewPanel</name>
    <message>
        <source>&amp;Play</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Run the scene here; the text stays as it is</source>
        <translation>Die Szene hier laufen lassen; der Text bleibt, wie er ist</translation>
    </message>
    <message>
        <source>S&amp;tep</source>
        <translation>S&amp;chritt</translation>
    </message>
    <message>
        <source>One step of the scene</source>
        <translation>Ein Schritt der Szene</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Back to the beginning, for editing</source>
        <translation>Zurück zum Anfang, zum Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>&amp;Fertig</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>The scene has stopped: %1</source>
        <translation>Die Szene ist stehen geblieben: %1</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Handles that move the selection</source>
        <translation>Griffe, die die Auswahl verschieben</translation>
    </message>
    <message>
        <source>Turn</source>
        <translation>Drehen</translation>
    </message>
    <message>
        <source>Handles that turn the selection</source>
        <translation>Griffe, die die Auswahl drehen</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalieren</translation>
    </message>
    <message>
        <source>Handles that scale the selection</source>
        <translation>Griffe, die die Auswahl skalieren</translation>
    </message>
    <message>
        <source>; Ctrl goes in round steps, Escape takes back</source>
        <translation>; Strg geht in runden Schritten, Escape nimmt zurück</translation>
    </message>
    <message>
        <source>See Selection</source>
        <translation>Auswahl zeigen</translation>
    </message>
    <message>
        <source>Go near to the selection</source>
        <translation>Nahe an die Auswahl</translation>
    </message>
    <message>
        <source>See All</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>See the whole scene</source>
        <translation>Die ganze Szene zeigen</translation>
    </message>
    <message>
        <source>The scene is as it was before the text had errors; the messages say which.</source>
        <translation>Die Szene ist, wie sie war, bevor der Text Fehler hatte; die Meldungen sagen, welche.</translation>
    </message>
    <message>
        <source>The scene cannot be shown: the messages say why.</source>
        <translation>Die Szene kann nicht gezeigt werden: die Meldungen sagen, warum.</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::PropertiesPanel</name>
    <message>
        <source> in %1; other units of the same kind may be written</source>
        <translation> in %1; andere Einheiten derselben Art sind erlaubt</translation>
    </message>
    <message>
        <source>Must be %1</source>
        <translation>Muss %1 sein</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>Erforderlich</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>Search in the attributes</source>
        <translation>In den Attributen suchen</translation>
    </message>
    <message>
        <source>Search in names and help</source>
        <translation>In Namen und Hilfe suchen</translation>
    </message>
    <message>
        <source>Only &amp;set</source>
        <translation>Nur &amp;gesetzte</translation>
    </message>
    <message>
        <source>Show only what the scene gives</source>
        <translation>Nur zeigen, was die Szene angibt</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>Nichts ist ausgewählt.</translation>
    </message>
    <message>
        <source>The file is not found.</source>
        <translation>Die Datei ist nicht zu finden.</translation>
    </message>
    <message>
        <source>This class is not known here; its attributes are kept as they are.</source>
        <translation>Diese Klasse ist hier nicht bekannt; ihre Attribute bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>%1 knows no attribute &apos;%2&apos;: it has no effect.</source>
        <translation>%1 kennt kein Attribut &apos;%2&apos;: es ist ohne Wirkung.</translation>
    </message>
    <message>
        <source>What the scene may replace</source>
        <translation>Was die Szene ersetzen darf</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Types that the component works on. Without it: the first that fits the states of its node.</source>
        <translation>Typen, mit denen die Komponente arbeitet. Ohne sie: der erste, der zu den Zuständen ihres Knotens passt.</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Of all components that have it</source>
        <translation>Von allen Komponenten, die es haben</translation>
    </message>
    <message>
        <source>Of %1</source>
        <translation>Von %1</translation>
    </message>
    <message>
        <source>Follow the value of another component</source>
        <translation>Dem Wert einer anderen Komponente folgen</translation>
    </message>
    <message>
        <source>Link of %1</source>
        <translation>Link von %1</translation>
    </message>
    <message>
        <source>Pick</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Click on the points in the view</source>
        <translation>In der Ansicht auf die Punkte klicken</translation>
    </message>
    <message>
        <source>Pick %1</source>
        <translation>%1 auswählen</translation>
    </message>
    <message>
        <source>Remove the attribute</source>
        <translation>Das Attribut entfernen</translation>
    </message>
    <message>
        <source>Take the default: remove it from the scene</source>
        <translation>Den Standard nehmen: aus der Szene entfernen</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::SourceEditor</name>
    <message>
        <source>Text of the scene</source>
        <translation>Text der Szene</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>Vervollständigungen</translation>
    </message>
    <message>
        <source>complete %1</source>
        <translation>%1 ergänzen</translation>
    </message>
    <message>
        <source>delete text</source>
        <translation>Text löschen</translation>
    </message>
    <message>
        <source>type text</source>
        <translation>Text tippen</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::TransformTool</name>
    <message>
        <source>Go back to the beginning to move things.</source>
        <translation>Zum Verschieben zurück an den Anfang gehen.</translation>
    </message>
    <message>
        <source>Moves %1</source>
        <translation>Verschiebt %1</translation>
    </message>
    <message>
        <source>Turns %1</source>
        <translation>Dreht %1</translation>
    </message>
    <message>
        <source>Scales %1</source>
        <translation>Skaliert %1</translation>
    </message>
    <message>
        <source>move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>turn %1</source>
        <translation>%1 drehen</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>%1 skalieren</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::TreeModel</name>
    <message>
        <source>(commented out)</source>
        <translation>(auskommentiert)</translation>
    </message>
    <message>
        <source>include</source>
        <translation>include</translation>
    </message>
    <message>
        <source>an old name of %1</source>
        <translation>ein alter Name von %1</translation>
    </message>
    <message>
        <source>prefab: %1</source>
        <translation>Prefab: %1</translation>
    </message>
    <message>
        <source>includes %1</source>
        <translation>bindet %1 ein</translation>
    </message>
    <message>
        <source>The file is not found.</source>
        <translation>Die Datei ist nicht zu finden.</translation>
    </message>
    <message>
        <source>This is no component that is known; perhaps a prefab or of a plugin.</source>
        <translation>Das ist keine bekannte Komponente; vielleicht ein Prefab oder aus einem Plugin.</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>in %1; a double click opens it there</source>
        <translation>in %1; ein Doppelklick öffnet es dort</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
</context>
<context>
    <name>sofa::modeler::TreePanel</name>
    <message>
        <source>Search in the scene</source>
        <translation>In der Szene suchen</translation>
    </message>
    <message>
        <source>Search by name, class or path; Return: the next one</source>
        <translation>Name, Klasse, Pfad; Eingabe: weiter</translation>
    </message>
    <message>
        <source>Tree of the scene</source>
        <translation>Baum der Szene</translation>
    </message>
    <message>
        <source>The text is broken in line %1; the tree waits until it is mended.
%2</source>
        <translation>Der Text ist in Zeile %1 fehlerhaft; der Baum wartet, bis das behoben ist.
%2</translation>
    </message>
</context>
<context>
    <name>sofa::qt::ControlBar</name>
    <message>
        <source>Controls</source>
        <translation>Bedienung</translation>
    </message>
    <message>
        <source> &amp;DT </source>
        <translation> &amp;DT </translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Time step of the simulation</source>
        <translation>Zeitschritt der Simulation</translation>
    </message>
    <message>
        <source>Time step</source>
        <translation>Zeitschritt</translation>
    </message>
    <message>
        <source>  S&amp;peed </source>
        <translation>  &amp;Tempo </translation>
    </message>
    <message>
        <source>fastest</source>
        <translation>höchstes</translation>
    </message>
    <message>
        <source>Seconds of the scene in a second of the clock, of Animate and of recordings that are played; fastest: as fast as possible</source>
        <translation>Sekunden der Szene in einer Sekunde der Uhr, für Animieren und Aufzeichnungen; höchstes: so schnell wie möglich</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>  &amp;Until </source>
        <translation>  &amp;Bis </translation>
    </message>
    <message>
        <source>no end</source>
        <translation>kein Ende</translation>
    </message>
    <message>
        <source>Time of the scene at which the animation stops; 0: no end</source>
        <translation>Zeit der Szene, zu der die Animation anhält; 0: kein Ende</translation>
    </message>
    <message>
        <source>Animate until</source>
        <translation>Animieren bis</translation>
    </message>
</context>
<context>
    <name>sofa::qt::DisplayTab</name>
    <message>
        <source>&amp;Visual models</source>
        <translation>Visuelle &amp;Modelle</translation>
    </message>
    <message>
        <source>The graphic representation of the objects (F2)</source>
        <translation>Die grafische Darstellung der Objekte (F2)</translation>
    </message>
    <message>
        <source>&amp;Behavior models</source>
        <translation>&amp;Verhalten</translation>
    </message>
    <message>
        <source>The mechanical degrees of freedom and what is fixed (F3)</source>
        <translation>Die mechanischen Freiheitsgrade und was festgehalten ist (F3)</translation>
    </message>
    <message>
        <source>&amp;Force fields</source>
        <translation>Kra&amp;ftfelder</translation>
    </message>
    <message>
        <source>Elements, springs and loads (F4)</source>
        <translation>Elemente, Federn und Lasten (F4)</translation>
    </message>
    <message>
        <source>&amp;Collision models</source>
        <translation>&amp;Kollisionsmodelle</translation>
    </message>
    <message>
        <source>The models with which collisions are detected</source>
        <translation>Die Modelle, mit denen Kollisionen gefunden werden</translation>
    </message>
    <message>
        <source>Bounding &amp;tree</source>
        <translation>&amp;Hüllenbaum</translation>
    </message>
    <message>
        <source>The hierarchical bounding boxes of the collision models</source>
        <translation>Die Hierarchie der Hüllquader der Kollisionsmodelle</translation>
    </message>
    <message>
        <source>&amp;Detection outputs</source>
        <translation>Gef&amp;undene Kontakte</translation>
    </message>
    <message>
        <source>Pairs of near points, with normals</source>
        <translation>Paare naher Punkte, mit Normalen</translation>
    </message>
    <message>
        <source>&amp;Interactions</source>
        <translation>&amp;Interaktionen</translation>
    </message>
    <message>
        <source>Interactions of all kinds between objects; some are created by the collision pipeline</source>
        <translation>Interaktionen aller Art zwischen Objekten; manche erzeugt die Kollisionsbehandlung</translation>
    </message>
    <message>
        <source>&amp;Mappings</source>
        <translation>A&amp;bbildungen</translation>
    </message>
    <message>
        <source>Non-mechanical mappings, such as those of visual models (F5)</source>
        <translation>Nichtmechanische Abbildungen, etwa die visueller Modelle (F5)</translation>
    </message>
    <message>
        <source>Mechanical ma&amp;ppings</source>
        <translation>Mechanische Abbil&amp;dungen</translation>
    </message>
    <message>
        <source>Mappings that carry positions and forces between mechanical objects (F5)</source>
        <translation>Abbildungen, die Orte und Kräfte zwischen mechanischen Objekten übertragen (F5)</translation>
    </message>
    <message>
        <source>&amp;Wire frame</source>
        <translation>Draht&amp;gitter</translation>
    </message>
    <message>
        <source>Visual and collision models as their edges (F6)</source>
        <translation>Visuelle und Kollisionsmodelle als Kanten (F6)</translation>
    </message>
    <message>
        <source>&amp;Normals</source>
        <translation>&amp;Normalen</translation>
    </message>
    <message>
        <source>The normals of the visual models</source>
        <translation>Die Normalen der visuellen Modelle</translation>
    </message>
    <message>
        <source>Advanced &amp;rendering</source>
        <translation>E&amp;rweiterte Darstellung</translation>
    </message>
    <message>
        <source>What components call advanced rendering</source>
        <translation>Was Komponenten erweiterte Darstellung nennen</translation>
    </message>
    <message>
        <source>S&amp;kins</source>
        <translation>Häu&amp;te</translation>
    </message>
    <message>
        <source>The surfaces of bodies that have no visual model; not with force fields or collision models, unless clicked</source>
        <translation>Die Oberflächen von Körpern ohne visuelles Modell; nicht zusammen mit Kraftfeldern oder Kollisionsmodellen, außer es ist angeklickt</translation>
    </message>
    <message>
        <source>Colours per &amp;element</source>
        <translation>Farben je E&amp;lement</translation>
    </message>
    <message>
        <source>Colour by: each element has the colour of its value, instead of smooth colours</source>
        <translation>Färben nach: jedes Element hat die Farbe seines Werts, statt weicher Farben</translation>
    </message>
    <message>
        <source>&amp;Ground and sky</source>
        <translation>B&amp;oden und Himmel</translation>
    </message>
    <message>
        <source>Sky, ground and light from above, where the scene has no background and no light of its own</source>
        <translation>Himmel, Boden und Licht von oben, wenn die Szene weder Hintergrund noch Licht hat</translation>
    </message>
    <message>
        <source>A&amp;xes</source>
        <translation>A&amp;chsen</translation>
    </message>
    <message>
        <source>The axes of the scene&apos;s frame, in a corner</source>
        <translation>Die Achsen der Szene, in einer Ecke</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>&amp;Alles</translation>
    </message>
    <message>
        <source>Shows or hides everything</source>
        <translation>Zeigt oder verbirgt alles</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Style</source>
        <translation>Stil</translation>
    </message>
    <message>
        <source>What bodies are coloured by, with a legend; those that know nothing of it stay as they are</source>
        <translation>Wonach Körper gefärbt werden, mit einer Legende; wer nichts davon weiß, bleibt, wie er ist</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Von Mises stress</source>
        <translation>Von-Mises-Spannung</translation>
    </message>
    <message>
        <source>Strain</source>
        <translation>Dehnung</translation>
    </message>
    <message>
        <source>Displacement</source>
        <translation>Verschiebung</translation>
    </message>
    <message>
        <source>Velocity</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>&amp;Colour by</source>
        <translation>Fär&amp;ben nach</translation>
    </message>
    <message>
        <source>Use scene &amp;settings</source>
        <translation>Wie die S&amp;zene</translation>
    </message>
    <message>
        <source>Shows what the scene says, and forgets what was chosen here</source>
        <translation>Zeigt, was die Szene sagt, und vergisst, was hier gewählt wurde</translation>
    </message>
    <message>
        <source>Automatic &amp;range</source>
        <translation>B&amp;ereich selbst wählen</translation>
    </message>
    <message>
        <source>The colours go from the least to the largest value that is seen</source>
        <translation>Die Farben gehen vom kleinsten zum größten Wert, der zu sehen ist</translation>
    </message>
    <message>
        <source>Value of the first colour</source>
        <translation>Wert der ersten Farbe</translation>
    </message>
    <message>
        <source>Value of the last colour</source>
        <translation>Wert der letzten Farbe</translation>
    </message>
    <message>
        <source>Cut &amp;open</source>
        <translation>Auf&amp;schneiden</translation>
    </message>
    <message>
        <source>What lies on one side of a plane is not drawn, and not picked</source>
        <translation>Was auf einer Seite einer Ebene liegt, wird weder gezeichnet noch ausgewählt</translation>
    </message>
    <message>
        <source>across x</source>
        <translation>quer zu x</translation>
    </message>
    <message>
        <source>across y</source>
        <translation>quer zu y</translation>
    </message>
    <message>
        <source>across z</source>
        <translation>quer zu z</translation>
    </message>
    <message>
        <source>Direction of the cut</source>
        <translation>Richtung des Schnitts</translation>
    </message>
    <message>
        <source>Other s&amp;ide</source>
        <translation>Andere Se&amp;ite</translation>
    </message>
    <message>
        <source>Takes the other half away</source>
        <translation>Nimmt die andere Hälfte weg</translation>
    </message>
    <message>
        <source>Place of the cut</source>
        <translation>Ort des Schnitts</translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation>%1 m</translation>
    </message>
</context>
<context>
    <name>sofa::qt::GraphPanel</name>
    <message>
        <source>Search by name, class or path</source>
        <translation>Nach Name, Klasse oder Pfad suchen</translation>
    </message>
    <message>
        <source>Show components of one kind only</source>
        <translation>Nur Komponenten einer Art zeigen</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>With messages</source>
        <translation>Mit Meldungen</translation>
    </message>
    <message>
        <source>Object</source>
        <translation>Objekt</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>E&amp;xport graph…</source>
        <translation>Graph e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write the graph for Graphviz, or as an image where dot is installed</source>
        <translation>Den Graphen für Graphviz schreiben, oder als Bild, wenn dot installiert ist</translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation>Graph exportieren</translation>
    </message>
    <message>
        <source>Graphviz (*.dot);;Images (*.svg *.png *.pdf)</source>
        <translation>Graphviz (*.dot);;Bilder (*.svg *.png *.pdf)</translation>
    </message>
    <message>
        <source>root</source>
        <translation>Wurzel</translation>
    </message>
    <message>
        <source>%1 errors, %2 warnings</source>
        <translation>%1 Fehler, %2 Warnungen</translation>
    </message>
    <message>
        <source>no scene</source>
        <translation>keine Szene</translation>
    </message>
    <message>
        <source>%1 nodes, %2 components</source>
        <translation>%1 Knoten, %2 Komponenten</translation>
    </message>
    <message>
        <source>%1 is active</source>
        <translation>%1 ist aktiv</translation>
    </message>
    <message>
        <source>%1 is not active any more</source>
        <translation>%1 ist nicht mehr aktiv</translation>
    </message>
    <message>
        <source>%1 was saved in %2</source>
        <translation>%1 wurde in %2 gespeichert</translation>
    </message>
    <message>
        <source>%1 was added below %2</source>
        <translation>%1 wurde unter %2 hinzugefügt</translation>
    </message>
    <message>
        <source>%1 was removed</source>
        <translation>%1 wurde entfernt</translation>
    </message>
    <message>
        <source>images need the program dot (package graphviz); write a .dot file instead</source>
        <translation>Bilder brauchen das Programm dot (Paket graphviz); stattdessen eine .dot-Datei schreiben</translation>
    </message>
    <message>
        <source>dot failed: %1</source>
        <translation>dot ist gescheitert: %1</translation>
    </message>
    <message>
        <source>cannot write &apos;%1&apos;: %2</source>
        <translation>&apos;%1&apos; kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>The graph was written to %1</source>
        <translation>Der Graph wurde nach %1 geschrieben</translation>
    </message>
    <message>
        <source>&amp;Collapse</source>
        <translation>Ein&amp;klappen</translation>
    </message>
    <message>
        <source>&amp;Expand</source>
        <translation>&amp;Ausklappen</translation>
    </message>
    <message>
        <source>&amp;Deactivate</source>
        <translation>&amp;Deaktivieren</translation>
    </message>
    <message>
        <source>&amp;Activate</source>
        <translation>Akti&amp;vieren</translation>
    </message>
    <message>
        <source>&amp;Save node…</source>
        <translation>Knoten &amp;speichern…</translation>
    </message>
    <message>
        <source>Save node</source>
        <translation>Knoten speichern</translation>
    </message>
    <message>
        <source>Scenes (*.scn *.xml)</source>
        <translation>Szenen (*.scn *.xml)</translation>
    </message>
    <message>
        <source>Add &amp;node</source>
        <translation>Knoten &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Add node from file</source>
        <translation>Knoten aus einer Datei hinzufügen</translation>
    </message>
    <message>
        <source>From a &amp;file…</source>
        <translation>Aus einer &amp;Datei…</translation>
    </message>
    <message>
        <source>Add &amp;node…</source>
        <translation>Knoten &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>&amp;Remove node</source>
        <translation>Knoten &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Modify…</source>
        <translation>Ä&amp;ndern…</translation>
    </message>
    <message>
        <source>Modify in a &amp;Window</source>
        <translation>In einem &amp;Fenster ändern</translation>
    </message>
    <message>
        <source>P&amp;lot</source>
        <translation>Als K&amp;urve</translation>
    </message>
    <message>
        <source>Show in the scene&apos;s &amp;file</source>
        <translation>&amp;Zeile in der Szene zeigen</translation>
    </message>
    <message>
        <source>&amp;Remove component</source>
        <translation>Komponente &amp;entfernen</translation>
    </message>
    <message>
        <source>Co&amp;py path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>S&amp;how</source>
        <translation>Ze&amp;igen</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>Ver&amp;bergen</translation>
    </message>
    <message>
        <source>Show all that is &amp;hidden</source>
        <translation>Alles Ve&amp;rborgene zeigen</translation>
    </message>
    <message>
        <source>&amp;Look at it</source>
        <translation>&amp;Genau ansehen</translation>
    </message>
    <message>
        <source>The last edit was taken back</source>
        <translation>Die letzte Änderung wurde zurückgenommen</translation>
    </message>
    <message>
        <source>%1 is in no file of the scene</source>
        <translation>%1 steht in keiner Datei der Szene</translation>
    </message>
    <message>
        <source>Search in the graph</source>
        <translation>Im Graphen suchen</translation>
    </message>
    <message>
        <source>Graph of the scene</source>
        <translation>Graph der Szene</translation>
    </message>
</context>
<context>
    <name>sofa::qt::LogPanel</name>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Debugging</source>
        <translation>Fehlersuche</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <source>Show messages of this kind: %1</source>
        <translation>Meldungen dieser Art zeigen: %1</translation>
    </message>
    <message>
        <source>Filter by text or component</source>
        <translation>Nach Text oder Komponente filtern</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the selected messages; all that are shown if none is selected</source>
        <translation>Die ausgewählten Meldungen kopieren; alle gezeigten, wenn keine ausgewählt ist</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>no messages</source>
        <translation>keine Meldungen</translation>
    </message>
    <message>
        <source>%1 errors, %2 warnings, %3 messages</source>
        <translation>%1 Fehler, %2 Warnungen, %3 Meldungen</translation>
    </message>
    <message>
        <source>Filter of the messages</source>
        <translation>Filter der Meldungen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
</context>
<context>
    <name>sofa::qt::MainWindow</name>
    <message>
        <source>The simulation stopped.</source>
        <translation>Die Simulation ist stehen geblieben.</translation>
    </message>
    <message>
        <source>&amp;Reset scene</source>
        <translation>Szene &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>%1 changed on disk.</source>
        <translation>%1 hat sich auf der Platte geändert.</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>Recorded %1</source>
        <translation>Aufgezeichnet: %1</translation>
    </message>
    <message>
        <source>time step</source>
        <translation>Zeitschritt</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Nochmals versuchen</translation>
    </message>
    <message>
        <source>&amp;Open anyway</source>
        <translation>&amp;Trotzdem öffnen</translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation>%1 wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>The scene is at its end, %1: choose a later one in Until, or reset the scene</source>
        <translation>Die Szene ist an ihrem Ende, %1: bei Bis ein späteres wählen, oder die Szene zurücksetzen</translation>
    </message>
    <message>
        <source>The scene is at its beginning. What was edited stays: %1. Reload takes the values of the file.</source>
        <translation>Die Szene ist an ihrem Anfang. Bearbeitetes bleibt: %1. Neu laden nimmt die Werte der Datei.</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>Save scene as</source>
        <translation>Szene speichern unter</translation>
    </message>
    <message>
        <source>Scenes (*.scn *.xml)</source>
        <translation>Szenen (*.scn *.xml)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>Save scene</source>
        <translation>Szene speichern</translation>
    </message>
    <message>
        <source>%1 was changed by another program since the scene was opened.</source>
        <translation>%1 wurde von einem anderen Programm geändert, seit die Szene geöffnet wurde.</translation>
    </message>
    <message>
        <source>&amp;Overwrite</source>
        <translation>Ü&amp;berschreiben</translation>
    </message>
    <message>
        <source>Save &amp;As...</source>
        <translation>Speichern &amp;unter...</translation>
    </message>
    <message>
        <source>The scene was not saved: %1</source>
        <translation>Die Szene wurde nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Scenes, meshes and recordings (%1)</source>
        <translation>Szenen, Netze und Aufzeichnungen (%1)</translation>
    </message>
    <message>
        <source>Scenes and recordings (%1)</source>
        <translation>Szenen und Aufzeichnungen (%1)</translation>
    </message>
    <message>
        <source>Meshes (%1)</source>
        <translation>Netze (%1)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>that of the scene</source>
        <translation>neben der Szene</translation>
    </message>
    <message>
        <source>&amp;Recordings and images</source>
        <translation>Auf&amp;zeichnungen und Bilder</translation>
    </message>
    <message>
        <source>Where recordings and images of the view are written</source>
        <translation>Wohin Aufzeichnungen und Bilder der Ansicht geschrieben werden</translation>
    </message>
    <message>
        <source>&amp;Exports</source>
        <translation>&amp;Exporte</translation>
    </message>
    <message>
        <source>Where states and files for gnuplot are written; a scene may name another one</source>
        <translation>Wohin Zustände und Dateien für gnuplot geschrieben werden; eine Szene kann einen anderen nennen</translation>
    </message>
    <message>
        <source>that of recordings and images</source>
        <translation>wie Aufzeichnungen und Bilder</translation>
    </message>
    <message>
        <source>The folder that is offered for a video</source>
        <translation>Der Ordner, der für ein Video vorgeschlagen wird</translation>
    </message>
    <message>
        <source>&amp;Folders</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>The image &apos;%1&apos; cannot be written.</source>
        <translation>Das Bild &apos;%1&apos; kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>The view was not saved: %1</source>
        <translation>Die Ansicht wurde nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>There is no file of a scene to edit.</source>
        <translation>Es gibt keine Szenendatei zum Bearbeiten.</translation>
    </message>
    <message>
        <source>The Modeler cannot be started: &apos;%1&apos;</source>
        <translation>Der Modeler lässt sich nicht starten: &apos;%1&apos;</translation>
    </message>
    <message>
        <source>&amp;Animate</source>
        <translation>&amp;Animieren</translation>
    </message>
    <message>
        <source>Run the simulation until it is pressed again</source>
        <translation>Die Simulation läuft, bis es nochmals gedrückt wird</translation>
    </message>
    <message>
        <source>S&amp;tep</source>
        <translation>S&amp;chritt</translation>
    </message>
    <message>
        <source>One step of the simulation</source>
        <translation>Ein Schritt der Simulation</translation>
    </message>
    <message>
        <source>&amp;Reset Scene</source>
        <translation>Szene &amp;zurück</translation>
    </message>
    <message>
        <source>Back to the beginning; values that were edited stay. Reload forgets them</source>
        <translation>Zurück an den Anfang; bearbeitete Werte bleiben. Neu laden vergisst sie</translation>
    </message>
    <message>
        <source>Reset &amp;View</source>
        <translation>Ansicht &amp;zurück</translation>
    </message>
    <message>
        <source>The camera back to its first place</source>
        <translation>Die Kamera an ihren ersten Ort</translation>
    </message>
    <message>
        <source>&amp;Save View</source>
        <translation>Ansicht &amp;merken</translation>
    </message>
    <message>
        <source>The scene begins with the present view from now on</source>
        <translation>Die Szene beginnt von nun an mit dieser Ansicht</translation>
    </message>
    <message>
        <source>S&amp;creenshot</source>
        <translation>Bi&amp;ld</translation>
    </message>
    <message>
        <source>Save an image of the view</source>
        <translation>Ein Bild der Ansicht speichern</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>Ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>Open a scene, a mesh or a recording</source>
        <translation>Eine Szene, ein Netz oder eine Aufzeichnung öffnen</translation>
    </message>
    <message>
        <source>Load the file again: the scene as it is written there; the view stays</source>
        <translation>Die Datei neu laden: die Szene, wie sie dort steht; die Ansicht bleibt</translation>
    </message>
    <message>
        <source>Write the scene to another file, and its state beside it</source>
        <translation>Die Szene in eine andere Datei schreiben, und ihren Zustand daneben</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Write what was edited to the file of the scene</source>
        <translation>Bearbeitetes in die Datei der Szene schreiben</translation>
    </message>
    <message>
        <source>Move until what is selected fills the view; the whole scene if nothing is</source>
        <translation>Bewegt sich, bis die Auswahl die Ansicht füllt; die ganze Szene, wenn nichts ausgewählt ist</translation>
    </message>
    <message>
        <source>See &amp;Whole Scene</source>
        <translation>&amp;Ganze Szene zeigen</translation>
    </message>
    <message>
        <source>Move back until everything is seen</source>
        <translation>Zurück, bis alles zu sehen ist</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>Zuletzt &amp;geöffnet</translation>
    </message>
    <message>
        <source>Screenshot As...</source>
        <translation>Bild speichern unter...</translation>
    </message>
    <message>
        <source>Save image as</source>
        <translation>Bild speichern unter</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.bmp)</source>
        <translation>Bilder (*.png *.jpg *.bmp)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Folder of &amp;Recordings and Images...</source>
        <translation>Ordner für &amp;Aufzeichnungen und Bilder...</translation>
    </message>
    <message>
        <source>Folder of recordings and images</source>
        <translation>Ordner für Aufzeichnungen und Bilder</translation>
    </message>
    <message>
        <source>Folder of &amp;Exports (Gnuplot)...</source>
        <translation>Ordner für E&amp;xporte (Gnuplot)...</translation>
    </message>
    <message>
        <source>Folder of exports</source>
        <translation>Ordner für Exporte</translation>
    </message>
    <message>
        <source>Use the Folder of the &amp;Scene for Both</source>
        <translation>Für beide den Ordner der &amp;Szene</translation>
    </message>
    <message>
        <source>Open in the &amp;Modeler</source>
        <translation>Im &amp;Modeler öffnen</translation>
    </message>
    <message>
        <source>&amp;Limit of Recordings</source>
        <translation>&amp;Grenze der Aufzeichnungen</translation>
    </message>
    <message>
        <source>&amp;None</source>
        <translation>&amp;Keine</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>&amp;Preferences...</source>
        <translation>&amp;Einstellungen...</translation>
    </message>
    <message>
        <source>&amp;Simulation</source>
        <translation>&amp;Simulation</translation>
    </message>
    <message>
        <source>&amp;Camera</source>
        <translation>&amp;Kamera</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>&amp;Fenster</translation>
    </message>
    <message>
        <source>All &amp;Panels</source>
        <translation>Alle &amp;Bereiche</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>Reset &amp;Layout</source>
        <translation>&amp;Anordnung zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;The Window</source>
        <translation>&amp;Das Fenster</translation>
    </message>
    <message>
        <source>&amp;Components</source>
        <translation>&amp;Komponenten</translation>
    </message>
    <message>
        <source>&amp;Scene Files</source>
        <translation>&amp;Szenendateien</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>&amp;Ergebnisse</translation>
    </message>
    <message>
        <source>The documentation (docs/%1) is not installed.</source>
        <translation>Die Dokumentation (docs/%1) ist nicht installiert.</translation>
    </message>
    <message>
        <source>&amp;Examples</source>
        <translation>&amp;Beispiele</translation>
    </message>
    <message>
        <source>&amp;Mouse and Keys</source>
        <translation>&amp;Maus und Tasten</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>&amp;Über</translation>
    </message>
    <message>
        <source>About runSofa</source>
        <translation>Über runSofa</translation>
    </message>
    <message>
        <source>runSofa %1
%2

Drawn with: %3</source>
        <translation>runSofa %1
%2

Gezeichnet mit: %3</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Brings this panel to the front; hides it where it is there already</source>
        <translation>Holt diesen Bereich nach vorn; verbirgt ihn, wenn er schon dort ist</translation>
    </message>
    <message>
        <source>%1 errors, %2 warnings</source>
        <translation>%1 Fehler, %2 Warnungen</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Stats</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Mouse</source>
        <translation>Maus</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Profiler</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>%1 is not in the scene</source>
        <translation>%1 ist nicht in der Szene</translation>
    </message>
    <message>
        <source>%1 was removed. It goes out of the file when the scene is saved.</source>
        <translation>%1 wurde entfernt. Aus der Datei geht es, wenn die Szene gespeichert wird.</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Front</source>
        <translation>&amp;Vorne</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Hinten</translation>
    </message>
    <message>
        <source>&amp;Left</source>
        <translation>&amp;Links</translation>
    </message>
    <message>
        <source>&amp;Right</source>
        <translation>&amp;Rechts</translation>
    </message>
    <message>
        <source>&amp;Top</source>
        <translation>&amp;Oben</translation>
    </message>
    <message>
        <source>Botto&amp;m</source>
        <translation>&amp;Unten</translation>
    </message>
    <message>
        <source>Look at the scene from there; up is against gravity</source>
        <translation>Von dort auf die Szene schauen; oben ist gegen die Schwerkraft</translation>
    </message>
    <message>
        <source>&amp;Hide the Selection</source>
        <translation>Auswahl ver&amp;bergen</translation>
    </message>
    <message>
        <source>What is selected in the graph or the view is not drawn</source>
        <translation>Was im Graphen oder in der Ansicht ausgewählt ist, wird nicht gezeichnet</translation>
    </message>
    <message>
        <source>Draws what was hidden</source>
        <translation>Zeichnet, was verborgen war</translation>
    </message>
    <message>
        <source>&amp;Orthographic</source>
        <translation>Orthogra&amp;phisch</translation>
    </message>
    <message>
        <source>What is farther away is as large as what is near</source>
        <translation>Entferntes ist so groß wie Nahes</translation>
    </message>
    <message>
        <source>Turn &amp;Around the Place Under the Mouse</source>
        <translation>Um den Ort unter der M&amp;aus drehen</translation>
    </message>
    <message>
        <source>The camera turns around this place from now on, as after a double click on it</source>
        <translation>Die Kamera dreht sich von nun an um diesen Ort, wie nach einem Doppelklick darauf</translation>
    </message>
    <message>
        <source>View &amp;Cube</source>
        <translation>Ansichtswür&amp;fel</translation>
    </message>
    <message>
        <source>The cube in the upper right corner, which is clicked to look from a side</source>
        <translation>Der Würfel in der Ecke oben rechts; ein Klick darauf schaut von einer Seite</translation>
    </message>
    <message>
        <source>&amp;Keep This Moment</source>
        <translation>Moment &amp;merken</translation>
    </message>
    <message>
        <source>The scene can go back to it, by the time line below the view</source>
        <translation>Die Szene kann dorthin zurück, mit der Zeitleiste unter der Ansicht</translation>
    </message>
    <message>
        <source>&amp;Back to a Kept Moment</source>
        <translation>Zu&amp;rück zu einem Moment</translation>
    </message>
    <message>
        <source>To the last one before the present</source>
        <translation>Zum letzten vor dem jetzigen</translation>
    </message>
    <message>
        <source>F&amp;orward to a Kept Moment</source>
        <translation>&amp;Vor zu einem Moment</translation>
    </message>
    <message>
        <source>To the first one after the present</source>
        <translation>Zum ersten nach dem jetzigen</translation>
    </message>
    <message>
        <source>Keep &amp;Moments by Themselves</source>
        <translation>Momente von se&amp;lbst merken</translation>
    </message>
    <message>
        <source>Back at %1 s</source>
        <translation>Zurück bei %1 s</translation>
    </message>
    <message>
        <source>&amp;Make a Video...</source>
        <translation>&amp;Video erstellen...</translation>
    </message>
    <message>
        <source>Make a video</source>
        <translation>Video erstellen</translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.mkv *.webm *.avi)</source>
        <translation>Videos (*.mp4 *.mkv *.webm *.avi)</translation>
    </message>
    <message>
        <source>What the view shows from now on, as fast as the time of the scene; once more ends it</source>
        <translation>Was die Ansicht von nun an zeigt, so schnell wie die Zeit der Szene; nochmals beendet es</translation>
    </message>
    <message>
        <source>End the &amp;Video</source>
        <translation>&amp;Video beenden</translation>
    </message>
    <message>
        <source>A video is made of what the view shows; Ctrl+Shift+P ends it</source>
        <translation>Ein Video der Ansicht entsteht; Strg+Umschalt+P beendet es</translation>
    </message>
    <message>
        <source>Written: %1</source>
        <translation>Geschrieben: %1</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>As the &amp;Desktop</source>
        <translation>Wie der &amp;Desktop</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>D&amp;ark</source>
        <translation>D&amp;unkel</translation>
    </message>
    <message>
        <source>V&amp;ideos</source>
        <translation>V&amp;ideos</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>See Select&amp;ion</source>
        <translation>Aus&amp;wahl zeigen</translation>
    </message>
    <message>
        <source>Record E&amp;very Step</source>
        <translation>Jeden Schritt auf&amp;zeichnen</translation>
    </message>
    <message>
        <source>Slantin&amp;g</source>
        <translation>&amp;Schräg</translation>
    </message>
    <message>
        <source>Show All That Is Hi&amp;dden</source>
        <translation>Alles Verborgene z&amp;eigen</translation>
    </message>
    <message>
        <source>&amp;Trust...</source>
        <translation>&amp;Vertrauen...</translation>
    </message>
</context>
<context>
    <name>sofa::qt::MeasurePanel</name>
    <message>
        <source>&amp;Position</source>
        <translation>&amp;Ort</translation>
    </message>
    <message>
        <source>&amp;Distance</source>
        <translation>&amp;Abstand</translation>
    </message>
    <message>
        <source>&amp;Angle</source>
        <translation>&amp;Winkel</translation>
    </message>
    <message>
        <source>Where the place is on which you click</source>
        <translation>Wo der Ort ist, auf den geklickt wird</translation>
    </message>
    <message>
        <source>Between two places</source>
        <translation>Zwischen zwei Orten</translation>
    </message>
    <message>
        <source>At the second of three places</source>
        <translation>Am zweiten von drei Orten</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>What was measured</source>
        <translation>Was gemessen wurde</translation>
    </message>
    <message>
        <source>Cop&amp;y</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Ent&amp;fernen</translation>
    </message>
    <message>
        <source>Clea&amp;r</source>
        <translation>&amp;Leeren</translation>
    </message>
    <message>
        <source>Click on places in the view. Escape ends it.</source>
        <translation>Auf Orte in der Ansicht klicken. Escape beendet.</translation>
    </message>
    <message>
        <source>Click on two places in the view. Escape ends it.</source>
        <translation>Auf zwei Orte in der Ansicht klicken. Escape beendet.</translation>
    </message>
    <message>
        <source>Click on three places; the angle is at the second. Escape ends it.</source>
        <translation>Auf drei Orte klicken; der Winkel ist am zweiten. Escape beendet.</translation>
    </message>
    <message>
        <source>Choose what to measure, then click on places in the view.</source>
        <translation>Wählen, was gemessen wird, dann auf Orte in der Ansicht klicken.</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>weg</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source> m</source>
        <translation> m</translation>
    </message>
    <message>
        <source>position</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>angle</source>
        <translation>Winkel</translation>
    </message>
</context>
<context>
    <name>sofa::qt::MouseTab</name>
    <message>
        <source>Arrows, +, −</source>
        <translation>Pfeile, +, −</translation>
    </message>
    <message>
        <source>turn, nearer, farther</source>
        <translation>drehen, näher, ferner</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>select what is there; Escape: nothing</source>
        <translation>auswählen, was dort ist; Escape: nichts</translation>
    </message>
    <message>
        <source>Double click, C</source>
        <translation>Doppelklick, C</translation>
    </message>
    <message>
        <source>turn around this place from now on</source>
        <translation>von nun an um diesen Ort drehen</translation>
    </message>
    <message>
        <source>F, Shift+F</source>
        <translation>F, Umschalt+F</translation>
    </message>
    <message>
        <source>see the selection, the whole scene</source>
        <translation>die Auswahl zeigen, die ganze Szene</translation>
    </message>
    <message>
        <source>1 to 7</source>
        <translation>1 bis 7</translation>
    </message>
    <message>
        <source>front, back, left, right, top, bottom, slanting</source>
        <translation>vorne, hinten, links, rechts, oben, unten, schräg</translation>
    </message>
    <message>
        <source>H, Shift+H</source>
        <translation>H, Umschalt+H</translation>
    </message>
    <message>
        <source>hide the selection, show what is hidden</source>
        <translation>die Auswahl verbergen, Verborgenes zeigen</translation>
    </message>
    <message>
        <source>O</source>
        <translation>O</translation>
    </message>
    <message>
        <source>orthographic, perspective</source>
        <translation>orthographisch, perspektivisch</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>reset view</source>
        <translation>Ansicht zurück</translation>
    </message>
    <message>
        <source>Shift + button</source>
        <translation>Umschalt + Taste</translation>
    </message>
    <message>
        <source>operation chosen above</source>
        <translation>was oben gewählt ist</translation>
    </message>
    <message>
        <source>Ctrl + key, button, wheel</source>
        <translation>Strg + Taste, Maustaste, Rad</translation>
    </message>
    <message>
        <source>to components of the scene</source>
        <translation>an Komponenten der Szene</translation>
    </message>
    <message>
        <source>U</source>
        <translation>U</translation>
    </message>
    <message>
        <source>release all fixed points</source>
        <translation>alle festen Punkte lösen</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>animate, stop</source>
        <translation>animieren, anhalten</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>one step</source>
        <translation>ein Schritt</translation>
    </message>
    <message>
        <source>Ctrl+Backspace</source>
        <translation>Strg+Rücktaste</translation>
    </message>
    <message>
        <source>reset scene</source>
        <translation>Szene zurück</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Strg+R</translation>
    </message>
    <message>
        <source>reload, same view</source>
        <translation>neu laden, Ansicht bleibt</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Strg+K</translation>
    </message>
    <message>
        <source>keep this moment</source>
        <translation>diesen Moment merken</translation>
    </message>
    <message>
        <source>Alt+Left, Alt+Right</source>
        <translation>Alt+Links, Alt+Rechts</translation>
    </message>
    <message>
        <source>back and forward to kept moments</source>
        <translation>zurück und vor zu gemerkten Momenten</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>information</source>
        <translation>Information</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>visual models</source>
        <translation>visuelle Modelle</translation>
    </message>
    <message>
        <source>F3</source>
        <translation>F3</translation>
    </message>
    <message>
        <source>points, fixed ones</source>
        <translation>Punkte, festgehaltene</translation>
    </message>
    <message>
        <source>F4</source>
        <translation>F4</translation>
    </message>
    <message>
        <source>tetrahedra, springs</source>
        <translation>Tetraeder, Federn</translation>
    </message>
    <message>
        <source>F5</source>
        <translation>F5</translation>
    </message>
    <message>
        <source>mappings</source>
        <translation>Abbildungen</translation>
    </message>
    <message>
        <source>F6</source>
        <translation>F6</translation>
    </message>
    <message>
        <source>wire frame</source>
        <translation>Drahtgitter</translation>
    </message>
    <message>
        <source>Alt+1 ... 9</source>
        <translation>Alt+1 ... 9</translation>
    </message>
    <message>
        <source>panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>F9</source>
        <translation>F9</translation>
    </message>
    <message>
        <source>all panels</source>
        <translation>alle Bereiche</translation>
    </message>
    <message>
        <source>F11</source>
        <translation>F11</translation>
    </message>
    <message>
        <source>full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Shift + mouse button</source>
        <translation>Umschalt + Maustaste</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Middle</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>What Shift and this button do in the view</source>
        <translation>Was Umschalt und diese Taste in der Ansicht tun</translation>
    </message>
    <message>
        <source>Release all &amp;fixed points</source>
        <translation>Alle &amp;festen Punkte lösen</translation>
    </message>
    <message>
        <source>&amp;microSofa mode: left pulls, right fixes</source>
        <translation>&amp;microSofa-Modus: links zieht, rechts hält fest</translation>
    </message>
    <message>
        <source>Left click pulls a point and right click fixes it, without Shift</source>
        <translation>Ein Linksklick zieht einen Punkt und ein Rechtsklick hält ihn fest, ohne Umschalt</translation>
    </message>
    <message>
        <source>&amp;Information over the view (F1)</source>
        <translation>&amp;Information über der Ansicht (F1)</translation>
    </message>
    <message>
        <source>Time, rates and iterations of solvers, over the image</source>
        <translation>Zeit, Raten und Iterationen der Löser, über dem Bild</translation>
    </message>
    <message>
        <source>Size of the view</source>
        <translation>Größe der Ansicht</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Wi&amp;dth</source>
        <translation>B&amp;reite</translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation>&amp;Höhe</translation>
    </message>
    <message>
        <source>&amp;Resize</source>
        <translation>&amp;Größe ändern</translation>
    </message>
    <message>
        <source>Gives the view this size, for images and videos of a given resolution</source>
        <translation>Gibt der Ansicht diese Größe, für Bilder und Videos bestimmter Auflösung</translation>
    </message>
    <message>
        <source>Mouse and keys</source>
        <translation>Maus und Tasten</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>drehen</translation>
    </message>
    <message>
        <source>move</source>
        <translation>verschieben</translation>
    </message>
    <message>
        <source>nearer, farther</source>
        <translation>näher, ferner</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Left drag</source>
        <translation>Links ziehen</translation>
    </message>
    <message>
        <source>Middle drag</source>
        <translation>Mitte ziehen</translation>
    </message>
    <message>
        <source>Right drag</source>
        <translation>Rechts ziehen</translation>
    </message>
    <message>
        <source>%1, wheel</source>
        <translation>%1, Rad</translation>
    </message>
</context>
<context>
    <name>sofa::qt::Notification</name>
    <message>
        <source>&amp;Details</source>
        <translation>&amp;Einzelheiten</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
</context>
<context>
    <name>sofa::qt::PlayerBar</name>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>Record positions and velocities of all mechanical objects; press again to stop</source>
        <translation>Orte und Geschwindigkeiten aller mechanischen Objekte aufzeichnen; nochmals drücken beendet</translation>
    </message>
    <message>
        <source>To the beginning</source>
        <translation>Zum Anfang</translation>
    </message>
    <message>
        <source>To the beginning of the recording</source>
        <translation>Zum Anfang der Aufzeichnung</translation>
    </message>
    <message>
        <source>Step backward</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>One recorded step backward</source>
        <translation>Einen aufgezeichneten Schritt zurück</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Play the recording</source>
        <translation>Die Aufzeichnung abspielen</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>One recorded step forward</source>
        <translation>Einen aufgezeichneten Schritt vor</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
    <message>
        <source>To the end of the recording</source>
        <translation>Zum Ende der Aufzeichnung</translation>
    </message>
    <message>
        <source>Recorded step</source>
        <translation>Aufgezeichneter Schritt</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Moment of the recording</source>
        <translation>Moment der Aufzeichnung</translation>
    </message>
    <message>
        <source>Nothing is recorded: %1</source>
        <translation>Nichts wird aufgezeichnet: %1</translation>
    </message>
    <message>
        <source>The recording ended: %1</source>
        <translation>Die Aufzeichnung endete: %1</translation>
    </message>
    <message>
        <source>no recording</source>
        <translation>keine Aufzeichnung</translation>
    </message>
    <message>
        <source>Press Record to make one</source>
        <translation>Aufzeichnen drücken, um eine zu machen</translation>
    </message>
    <message>
        <source>recording: %1 s, %2 frames, %3</source>
        <translation>Aufzeichnung: %1 s, %2 Bilder, %3</translation>
    </message>
    <message>
        <source>of %1 s</source>
        <translation>von %1 s</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Bilder</translation>
    </message>
</context>
<context>
    <name>sofa::qt::PlotsPanel</name>
    <message>
        <source>Drag the name of a value from the properties to here, or choose Plot in its menu or in that of its component.</source>
        <translation>Den Namen eines Werts aus den Eigenschaften hierher ziehen, oder in seinem Menü oder dem seiner Komponente Als Kurve wählen.</translation>
    </message>
    <message>
        <source>%1 has no numbers that could be plotted</source>
        <translation>%1 hat keine Zahlen für eine Kurve</translation>
    </message>
    <message>
        <source>There is no %1</source>
        <translation>Es gibt kein %1</translation>
    </message>
    <message>
        <source>least</source>
        <translation>kleinster</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <source>Remove this plot</source>
        <translation>Diese Kurve entfernen</translation>
    </message>
    <message>
        <source>Remove the plot of %1</source>
        <translation>Die Kurve von %1 entfernen</translation>
    </message>
</context>
<context>
    <name>sofa::qt::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Shows the usual values of this page; OK or Apply takes them</source>
        <translation>Zeigt die üblichen Werte dieser Seite; OK oder Anwenden übernimmt sie</translation>
    </message>
    <message>
        <source>&amp;General</source>
        <translation>&amp;Allgemein</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>A&amp;nsicht</translation>
    </message>
</context>
<context>
    <name>sofa::qt::PreferencesPage</name>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
    </message>
    <message>
        <source>Nothing can be written to &apos;%1&apos;.</source>
        <translation>Nach &apos;%1&apos; kann nichts geschrieben werden.</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Colours of the windows</source>
        <translation>Farben der Fenster</translation>
    </message>
    <message>
        <source>&amp;Size of letters</source>
        <translation>&amp;Schriftgröße</translation>
    </message>
    <message>
        <source>% of the desktop&apos;s</source>
        <translation>% des Desktops</translation>
    </message>
    <message>
        <source>Letters of all windows</source>
        <translation>Schrift aller Fenster</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>Language of the windows; numbers always have a decimal point</source>
        <translation>Sprache der Fenster; Zahlen haben immer einen Dezimalpunkt</translation>
    </message>
    <message>
        <source>The language changes when the program is started again.</source>
        <translation>Die Sprache wechselt, wenn das Programm neu gestartet wird.</translation>
    </message>
    <message>
        <source>This page and the next hold for runSofa and the Modeler.</source>
        <translation>Diese Seite und die nächste gelten für runSofa und den Modeler.</translation>
    </message>
    <message>
        <source>&amp;Background</source>
        <translation>&amp;Hintergrund</translation>
    </message>
    <message>
        <source>Sky and ground</source>
        <translation>Himmel und Boden</translation>
    </message>
    <message>
        <source>White</source>
        <translation>Weiß</translation>
    </message>
    <message>
        <source>Light grey</source>
        <translation>Hellgrau</translation>
    </message>
    <message>
        <source>Dark grey</source>
        <translation>Dunkelgrau</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>Schwarz</translation>
    </message>
    <message>
        <source>Of scenes that have none of their own; in the view, in images and videos</source>
        <translation>Bei Szenen, die keinen eigenen haben; in der Ansicht, in Bildern und Videos</translation>
    </message>
    <message>
        <source>Smooth &amp;edges</source>
        <translation>Glatte &amp;Kanten</translation>
    </message>
    <message>
        <source>Edges without steps; without them, slow machines draw faster</source>
        <translation>Kanten ohne Stufen; ohne sie zeichnen langsame Rechner schneller</translation>
    </message>
    <message>
        <source>left</source>
        <translation>links</translation>
    </message>
    <message>
        <source>middle</source>
        <translation>Mitte</translation>
    </message>
    <message>
        <source>right</source>
        <translation>rechts</translation>
    </message>
    <message>
        <source>turn: %1, move: %2, nearer: %3</source>
        <translation>drehen: %1, verschieben: %2, näher: %3</translation>
    </message>
    <message>
        <source>&amp;Mouse buttons</source>
        <translation>&amp;Maustasten</translation>
    </message>
    <message>
        <source>What dragging with each button does to the camera. A click with the left one selects, always</source>
        <translation>Was Ziehen mit jeder Taste mit der Kamera tut. Ein Klick mit der linken wählt immer aus</translation>
    </message>
    <message>
        <source>Speed of the &amp;wheel</source>
        <translation>Tempo des &amp;Rads</translation>
    </message>
    <message>
        <source>How far a turn of the wheel goes nearer or farther</source>
        <translation>Wie weit eine Drehung des Rads näher oder ferner geht</translation>
    </message>
</context>
<context>
    <name>sofa::qt::ProfilerPanel</name>
    <message>
        <source>&amp;Measure</source>
        <translation>&amp;Messen</translation>
    </message>
    <message>
        <source>Measure the phases of each step</source>
        <translation>Die Phasen jedes Schritts messen</translation>
    </message>
    <message>
        <source>R&amp;estart</source>
        <translation>N&amp;eu beginnen</translation>
    </message>
    <message>
        <source>Forget what was measured, and measure from now on</source>
        <translation>Gemessenes vergessen, und von nun an messen</translation>
    </message>
    <message>
        <source>Export &amp;trace…</source>
        <translation>A&amp;blauf exportieren…</translation>
    </message>
    <message>
        <source>Write every interval for chrome://tracing or Perfetto</source>
        <translation>Jedes Intervall für chrome://tracing oder Perfetto schreiben</translation>
    </message>
    <message>
        <source>Export trace</source>
        <translation>Ablauf exportieren</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>Abläufe (*.json)</translation>
    </message>
    <message>
        <source>Press Measure, then animate.</source>
        <translation>Messen drücken, dann animieren.</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>ms / step</source>
        <translation>ms / Schritt</translation>
    </message>
    <message>
        <source>own ms</source>
        <translation>eigene ms</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Trace written to %1</source>
        <translation>Ablauf nach %1 geschrieben</translation>
    </message>
    <message>
        <source>Measuring; no step yet.</source>
        <translation>Es wird gemessen; noch kein Schritt.</translation>
    </message>
    <message>
        <source>%1 steps, %2 ms each</source>
        <translation>%1 Schritte, je %2 ms</translation>
    </message>
    <message>
        <source>Times of the phases of a step</source>
        <translation>Zeiten der Phasen eines Schrittes</translation>
    </message>
</context>
<context>
    <name>sofa::qt::PropertiesPanel</name>
    <message>
        <source>Nothing is selected.

Click on a part of the view, or on a line of the graph.</source>
        <translation>Nichts ist ausgewählt.

Auf einen Teil der Ansicht oder eine Zeile des Graphen klicken.</translation>
    </message>
</context>
<context>
    <name>sofa::qt::PropertyWindow</name>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <source>Copy &amp;path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation>&amp;Verwerfen</translation>
    </message>
    <message>
        <source>Forget what was edited and show the present values</source>
        <translation>Bearbeitetes vergessen und die jetzigen Werte zeigen</translation>
    </message>
    <message>
        <source>&amp;Update</source>
        <translation>&amp;Übernehmen</translation>
    </message>
    <message>
        <source>Give the component the new values and have it take them over (Ctrl+Return)</source>
        <translation>Der Komponente die neuen Werte geben, damit sie sie übernimmt (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>The object is not in the scene any more.</source>
        <translation>Das Objekt ist nicht mehr in der Szene.</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>leads nowhere</source>
        <translation>führt nirgendwohin</translation>
    </message>
    <message>
        <source>Open the properties of this object</source>
        <translation>Die Eigenschaften dieses Objekts öffnen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>&amp;Plot</source>
        <translation>Als &amp;Kurve</translation>
    </message>
    <message>
        <source>Unit: %1; others of the same kind may be written</source>
        <translation>Einheit: %1; andere derselben Art sind erlaubt</translation>
    </message>
    <message>
        <source>Must be %1</source>
        <translation>Muss %1 sein</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Standard: %1</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>berechnet</translation>
    </message>
    <message>
        <source>The value follows another one</source>
        <translation>Der Wert folgt einem anderen</translation>
    </message>
    <message>
        <source>Show all of %1 characters</source>
        <translation>Alle %1 Zeichen zeigen</translation>
    </message>
    <message>
        <source>Only the beginning is shown; load all of it to edit it</source>
        <translation>Nur der Anfang ist zu sehen; zum Bearbeiten alles laden</translation>
    </message>
    <message>
        <source>Take the default value</source>
        <translation>Den Standardwert nehmen</translation>
    </message>
    <message>
        <source>Messages (%1)</source>
        <translation>Meldungen (%1)</translation>
    </message>
    <message>
        <source>Nothing was changed; see the values marked in red.</source>
        <translation>Nichts wurde geändert; siehe die rot markierten Werte.</translation>
    </message>
    <message>
        <source>Updated.</source>
        <translation>Übernommen.</translation>
    </message>
</context>
<context>
    <name>sofa::qt::RecentMenu</name>
    <message>
        <source>(none)</source>
        <translation>(keine)</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Leeren</translation>
    </message>
</context>
<context>
    <name>sofa::qt::Session</name>
    <message>
        <source>another scene is being opened</source>
        <translation>eine andere Szene wird geöffnet</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
</context>
<context>
    <name>sofa::qt::StatsPanel</name>
    <message>
        <source>Collision models</source>
        <translation>Kollisionsmodelle</translation>
    </message>
    <message>
        <source>no scene</source>
        <translation>keine Szene</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Contacts</source>
        <translation>Kontakte</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>In contact</source>
        <translation>In Kontakt</translation>
    </message>
    <message>
        <source>with</source>
        <translation>mit</translation>
    </message>
    <message>
        <source>Nearest [m]</source>
        <translation>Nächster [m]</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Folder of exported files</source>
        <translation>Ordner für exportierte Dateien</translation>
    </message>
    <message>
        <source>&amp;Dump state</source>
        <translation>&amp;Zustand ausgeben</translation>
    </message>
    <message>
        <source>Write positions and velocities of all states to dumpState.data</source>
        <translation>Orte und Geschwindigkeiten aller Zustände nach dumpState.data schreiben</translation>
    </message>
    <message>
        <source>State written to %1</source>
        <translation>Zustand nach %1 geschrieben</translation>
    </message>
    <message>
        <source>&amp;Log time</source>
        <translation>Ze&amp;iten ausgeben</translation>
    </message>
    <message>
        <source>Print the time spent in each step to the console</source>
        <translation>Die Zeit jedes Schritts auf der Konsole ausgeben</translation>
    </message>
    <message>
        <source>&amp;Gnuplot</source>
        <translation>&amp;Gnuplot</translation>
    </message>
    <message>
        <source>Write positions, velocities and energies of each step to files for gnuplot</source>
        <translation>Orte, Geschwindigkeiten und Energien jedes Schritts in Dateien für gnuplot schreiben</translation>
    </message>
    <message>
        <source>Files for gnuplot are written to %1</source>
        <translation>Dateien für gnuplot werden nach %1 geschrieben</translation>
    </message>
    <message>
        <source>Files for gnuplot are complete in %1</source>
        <translation>Die Dateien für gnuplot in %1 sind vollständig</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Plot &amp;energies</source>
        <translation>&amp;Energien als Kurven</translation>
    </message>
    <message>
        <source>Kinetic and potential energy of each step: takes a little time</source>
        <translation>Kinetische und potentielle Energie jedes Schritts: kostet etwas Zeit</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>kinetic</source>
        <translation>kinetisch</translation>
    </message>
    <message>
        <source>potential</source>
        <translation>potentiell</translation>
    </message>
    <message>
        <source>mechanical</source>
        <translation>mechanisch</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>Dauer eines Schritts</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>No collision models.</source>
        <translation>Keine Kollisionsmodelle.</translation>
    </message>
    <message>
        <source>%1: %2. %3 in %4 of models.</source>
        <translation>%1: %2. %3 in %4 von Modellen.</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>contact</source>
        <translation>Kontakt</translation>
    </message>
    <message>
        <source>contacts</source>
        <translation>Kontakte</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paaren</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>obstacle</source>
        <translation>Hindernis</translation>
    </message>
    <message>
        <source>at rest</source>
        <translation>in Ruhe</translation>
    </message>
    <message>
        <source>moving</source>
        <translation>bewegt</translation>
    </message>
    <message>
        <source>Pairs in contact</source>
        <translation>Paare in Kontakt</translation>
    </message>
</context>
<context>
    <name>sofa::qt::TableEditor</name>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>angle</source>
        <translation>Winkel</translation>
    </message>
    <message>
        <source>Ctrl+C and Ctrl+V copy and paste rows, also from and to spreadsheets</source>
        <translation>Strg+C und Strg+V kopieren Zeilen und fügen sie ein, auch aus und in Tabellenkalkulationen</translation>
    </message>
    <message>
        <source>Add row</source>
        <translation>Zeile dazu</translation>
    </message>
    <message>
        <source>Remove rows</source>
        <translation>Zeilen weg</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Rows of numbers, over those from the marked cell on; behind the last one if none is marked</source>
        <translation>Zeilen von Zahlen, über die ab der markierten Zelle; hinter die letzte, wenn keine markiert ist</translation>
    </message>
</context>
<context>
    <name>sofa::qt::TableModel</name>
    <message>
        <source>&apos;%1&apos; is no number: nothing was pasted.</source>
        <translation>&apos;%1&apos; ist keine Zahl: nichts wurde eingefügt.</translation>
    </message>
    <message>
        <source>A row of %1 numbers does not fit into %2 columns: nothing was pasted.</source>
        <translation>Eine Zeile mit %1 Zahlen passt nicht in %2 Spalten: nichts wurde eingefügt.</translation>
    </message>
    <message>
        <source>There are no rows to paste.</source>
        <translation>Es gibt keine Zeilen zum Einfügen.</translation>
    </message>
</context>
<context>
    <name>sofa::qt::TimeLine</name>
    <message>
        <source>Time line</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>The moment cannot be kept: %1</source>
        <translation>Der Moment kann nicht gemerkt werden: %1</translation>
    </message>
    <message>
        <source>The scene cannot go back: %1</source>
        <translation>Die Szene kann nicht zurück: %1</translation>
    </message>
    <message>
        <source>No moment before this one was kept. Reset Scene goes to the beginning.</source>
        <translation>Kein Moment davor wurde gemerkt. Szene zurück geht zum Anfang.</translation>
    </message>
    <message>
        <source>No moment after this one was kept.</source>
        <translation>Kein Moment danach wurde gemerkt.</translation>
    </message>
    <message>
        <source>Back to %1 s</source>
        <translation>Zurück zu %1 s</translation>
    </message>
    <message>
        <source>The time of the scene. Marks are moments to go back to: they are kept by themselves while it runs, or by Ctrl+K</source>
        <translation>Die Zeit der Szene. Marken sind Momente, zu denen man zurück kann: sie werden beim Laufen von selbst gemerkt, oder mit Strg+K</translation>
    </message>
</context>
<context>
    <name>sofa::qt::UnderCursorBar</name>
    <message>
        <source>Copy what was last under the cursor (Ctrl+Shift+C)</source>
        <translation>Kopieren, was zuletzt unter dem Zeiger war (Strg+Umschalt+C)</translation>
    </message>
    <message>
        <source>Copy what is under the cursor</source>
        <translation>Kopieren, was unter dem Zeiger ist</translation>
    </message>
    <message>
        <source>Nothing under the cursor</source>
        <translation>Nichts unter dem Zeiger</translation>
    </message>
</context>
<context>
    <name>sofa::qt::VideoExport</name>
    <message>
        <source>No video is made: %1</source>
        <translation>Kein Video entsteht: %1</translation>
    </message>
    <message>
        <source>The video ended: %1</source>
        <translation>Das Video endete: %1</translation>
    </message>
</context>
<context>
    <name>sofa::qt::Viewer</name>
    <message>
        <source>View of the scene</source>
        <translation>Ansicht der Szene</translation>
    </message>
    <message>
        <source>The scene cannot be drawn: %1</source>
        <translation>Die Szene kann nicht gezeichnet werden: %1</translation>
    </message>
    <message>
        <source>No scene is open.

Open one with Ctrl+O, or drop a file here.</source>
        <translation>Keine Szene ist offen.

Eine mit Strg+O öffnen, oder eine Datei hierher ziehen.</translation>
    </message>
    <message>
        <source>%1 N</source>
        <translation>%1 N</translation>
    </message>
    <message>
        <source>time %1 s, step %2, dt %3 s</source>
        <translation>Zeit %1 s, Schritt %2, dt %3 s</translation>
    </message>
    <message>
        <source>step %1 ms, %2 steps/s, %3 frames/s</source>
        <translation>Schritt %1 ms, %2 Schritte/s, %3 Bilder/s</translation>
    </message>
    <message>
        <source>... %1 more solvers</source>
        <translation>... %1 weitere Löser</translation>
    </message>
    <message>
        <source>%1 triangles, %2 draw calls, %3 uploads</source>
        <translation>%1 Dreiecke, %2 Zeichenaufrufe, %3 Übertragungen</translation>
    </message>
    <message>
        <source>microSofa mode: left pulls, right fixes</source>
        <translation>microSofa-Modus: links zieht, rechts hält fest</translation>
    </message>
    <message>
        <source>nothing is there</source>
        <translation>dort ist nichts</translation>
    </message>
</context>
</TS>
