// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the Sofa-compatible simulation framework; see LICENSE.
#include "applications/runSofa/LanguageServer.h"

#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "applications/runSofa/ProtocolTexts.h"
#include "core/Version.h"
#include "core/scene/SceneAnalysis.h"
#include "core/simulation/Simulation.h"

namespace sofa::application {

namespace {

using namespace sofa::core;

constexpr int idle = 300;  ///< [ms] without input, after which provisional messages are made exact

// --- Server ----------------------------------------------------------------------------------------------------------

class LanguageServer
{
public:
    LanguageServer(int in, int out) : m_rpc(in, out) {}

    int run()
    {
        while (!m_exits) {
            Json id;
            try {
                if (!m_rpc.waits(0)) analyse();
                if (!m_rpc.waits(idle)) {
                    makeExact();
                    m_rpc.waits(-1);
                }
                std::optional<Json> message = m_rpc.read();
                if (!message) break;
                receive(*message, id);
            } catch (const RpcError& e) {
                fail(id, e.code, e.what());
            } catch (const std::exception& e) {
                fail(id, RpcError::RequestFailed, e.what());
            }
        }
        return m_shutDown ? 0 : 1;
    }

private:
    struct Document
    {
        std::string path, text;
        Json version;
        std::unique_ptr<SceneAnalysis> analysis;
        bool changed = true;               ///< since it was analysed
        std::set<std::string> otherFiles;  ///< about which something was published
    };

    // --- Messages -------------------------------------------------------------------------------------------------
    void send(Json message)
    {
        message["jsonrpc"] = "2.0";
        m_rpc.write(message);
    }
    void fail(const Json& id, int code, const std::string& text)
    {
        Json message;
        message["id"] = id;
        message["error"]["code"] = code;
        message["error"]["message"] = text;
        send(std::move(message));
    }
    void notify(const char* method, Json params)
    {
        Json message;
        message["method"] = method;
        message["params"] = std::move(params);
        send(std::move(message));
    }

    void receive(const Json& message, Json& id)
    {
        if (!message.is_object()) throw RpcError(RpcError::InvalidRequest, "expected an object");
        const bool isRequest = message.contains("id");
        if (isRequest) {
            const Json& given = message["id"];
            if (given.is_string() || given.is_number_integer()) id = given;
        }
        if (!message.contains("method")) {
            if (message.contains("result") || message.contains("error")) return;  // an answer: nothing was asked
            throw RpcError(RpcError::InvalidRequest, "expected a method");
        }
        if (!message["method"].is_string() || (isRequest && id.is_null()))
            throw RpcError(RpcError::InvalidRequest, "expected a method and an id that are texts or numbers");
        const std::string method = message["method"];
        static const Json none = Json::object();
        const Json& params = message.contains("params") ? message["params"] : none;
        if (method == "exit") {
            m_exits = true;
            return;
        }
        if (!isRequest) {
            notified(method, params);
            return;
        }
        if (!m_initialised && method != "initialize")
            throw RpcError(RpcError::NotInitialized, "expected 'initialize' first");
        if (m_shutDown) throw RpcError(RpcError::InvalidRequest, "expected 'exit' after 'shutdown'");
        Json answer;
        answer["id"] = id;
        answer["result"] = requested(method, params);
        send(std::move(answer));
    }

    void notified(const std::string& method, const Json& params)
    {
        if (!m_initialised || m_shutDown) return;
        try {
            if (method == "textDocument/didOpen") opened(params);
            if (method == "textDocument/didChange") changed(params);
            if (method == "textDocument/didSave") saved(params);
            if (method == "textDocument/didClose") closed(params);
        } catch (const std::exception& e) {
            // A notification has no answer.
            Json log;
            log["type"] = 1;
            log["message"] = method + ": " + e.what();
            notify("window/logMessage", std::move(log));
        }
    }

    Json requested(const std::string& method, const Json& params)
    {
        if (method == "initialize") return initialise(params);
        if (method == "shutdown") {
            m_shutDown = true;
            return nullptr;
        }
        static const std::map<std::string, Json (LanguageServer::*)(Document&, const Json&)> requests{
            {"textDocument/completion", &LanguageServer::completion},
            {"textDocument/hover", &LanguageServer::hover},
            {"textDocument/definition", &LanguageServer::definition},
            {"textDocument/references", &LanguageServer::references},
            {"textDocument/prepareRename", &LanguageServer::prepareRename},
            {"textDocument/rename", &LanguageServer::rename},
            {"textDocument/documentSymbol", &LanguageServer::symbols},
            {"textDocument/codeAction", &LanguageServer::actions}};
        const auto request = requests.find(method);
        if (request == requests.end()) throw RpcError(RpcError::MethodNotFound, "there is no method '" + method + "'");
        Document& d = document(params);
        analyse(d);
        return (this->*request->second)(d, params);
    }

    Json initialise(const Json& params)
    {
        m_initialised = true;
        if (params.is_object()) {
            const Json::json_pointer snippets("/capabilities/textDocument/completion/completionItem/snippetSupport"),
                onSave("/initializationOptions/checkOnSave");
            m_snippets = params.contains(snippets) && params[snippets] == true;
            m_checkOnSave = !(params.contains(onSave) && params[onSave] == false);
        }
        // As text: nested lists of initialisers take compilers minutes.
        Json result = Json::parse(R"({
            "serverInfo": {"name": "runSofa"},
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {"openClose": true, "change": 2, "save": true},
                "completionProvider": {"triggerCharacters": ["<", " ", "\"", "'", "@", ".", "/"]},
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "renameProvider": {"prepareProvider": true},
                "documentSymbolProvider": true,
                "codeActionProvider": {"codeActionKinds": ["quickfix"]}
            }})");
        result["serverInfo"]["version"] = core::version();
        return result;
    }

    // --- Documents ------------------------------------------------------------------------------------------------
    Document& document(const Json& params)
    {
        const std::string uri = textIn(member(params, "textDocument"), "uri");
        const auto it = m_documents.find(uri);
        if (it == m_documents.end()) refuse("the document '" + uri + "' is not open");
        return it->second;
    }

    void opened(const Json& params)
    {
        const Json& given = member(params, "textDocument");
        const std::string uri = textIn(given, "uri");
        Document d;
        d.path = pathOf(uri);
        d.text = textIn(given, "text");
        d.version = given.value("version", Json());
        d.analysis = std::make_unique<SceneAnalysis>(d.path);
        m_documents[uri] = std::move(d);
    }

    void changed(const Json& params)
    {
        Document& d = document(params);
        const Json& changes = member(params, "contentChanges");
        if (!changes.is_array()) refuse("expected a list of changes");
        for (const Json& change : changes) {
            std::string text = textIn(change, "text");
            if (!change.contains("range")) {
                d.text = std::move(text);
                continue;
            }
            const TextLines lines(d.text);
            const std::size_t begin = offsetIn(lines, member(change["range"], "start"));
            const std::size_t end = offsetIn(lines, member(change["range"], "end"));
            if (end < begin) refuse("expected a range of which the end is behind the start");
            d.text.replace(begin, end - begin, text);
        }
        d.version = member(params, "textDocument").value("version", Json());
        d.changed = true;
    }

    void saved(const Json& params)
    {
        Document& d = document(params);
        // It may be a part of others.
        for (auto& [uri, other] : m_documents) {
            other.analysis->setText(other.text);
            if (&other != &d || other.analysis->isProvisional()) other.analysis->refresh();
            other.changed = false;
            if (&other == &d && m_checkOnSave)
                other.analysis->check([](const std::shared_ptr<Node>& root, const auto&) {
                    Simulation simulation(root);
                    simulation.init();
                    simulation.cleanup();
                });
            publish(uri, other);
        }
    }

    void closed(const Json& params)
    {
        Document& d = document(params);
        const std::string uri = textIn(member(params, "textDocument"), "uri");
        for (const std::string& file : d.otherFiles) publish(uriOf(file), Json::array(), nullptr);
        publish(uri, Json::array(), nullptr);
        m_documents.erase(uri);
    }

    void analyse(Document& d)
    {
        if (!d.changed) return;
        d.changed = false;
        d.analysis->setText(d.text);
        for (auto& [uri, other] : m_documents)
            if (&other == &d) publish(uri, d);
    }

    void analyse()
    {
        for (auto& [uri, d] : m_documents) analyse(d);
    }

    /// Nothing was typed for a while: what was left open can be found out.
    void makeExact()
    {
        for (auto& [uri, d] : m_documents) {
            if (!d.analysis->isProvisional()) continue;
            d.analysis->refresh();
            publish(uri, d);
        }
    }

    // --- Diagnostics ----------------------------------------------------------------------------------------------
    void publish(const std::string& uri, Json diagnostics, const Json& version)
    {
        Json params;
        params["uri"] = uri;
        params["diagnostics"] = std::move(diagnostics);
        if (version.is_number_integer()) params["version"] = version;
        notify("textDocument/publishDiagnostics", std::move(params));
    }

    void publish(const std::string& uri, Document& d)
    {
        const TextLines lines(d.text);
        Json own = Json::array();
        std::map<std::string, Json> others;
        for (const std::string& file : d.otherFiles) others[file] = Json::array();
        d.otherFiles.clear();
        for (const SceneProblem& p : d.analysis->problems()) {
            if (p.inText) {
                own.push_back(diagnosticOf(p.message, rangeOf(lines, p.range)));
                continue;
            }
            const std::string& file = *p.message.where.file;
            Json& list = others.try_emplace(file, Json::array()).first->second;
            const std::string text = contentOf(file);
            const TextLines its(text);
            const std::size_t at = its.offset(TextPosition{p.message.where.line, p.message.where.column});
            const std::size_t end = std::min(text.find_first_of(" \t\r\n>", at), text.size());
            list.push_back(diagnosticOf(p.message, rangeOf(its, {at, end})));
            d.otherFiles.insert(file);
        }
        publish(uri, std::move(own), d.version);
        // Those that are open have messages of their own.
        for (auto& [file, list] : others)
            if (!openFile(file)) publish(uriOf(file), std::move(list), nullptr);
    }

    const Document* openFile(const std::string& path) const
    {
        const auto it = std::ranges::find_if(m_documents, [&](const auto& entry) { return entry.second.path == path; });
        return it == m_documents.end() ? nullptr : &it->second;
    }

    /// A file as the editor shows it.
    std::string contentOf(const std::string& path) const
    {
        if (const Document* d = openFile(path)) return d->text;
        try {
            return readBytes(path);
        } catch (const SceneError&) {
            return {};
        }
    }

    // --- Requests -------------------------------------------------------------------------------------------------
    static std::size_t placeIn(const Document& d, const Json& params)
    {
        return offsetIn(TextLines(d.text), member(params, "position"));
    }

    Json placeOf(const FileRange& r) const
    {
        for (const auto& [uri, d] : m_documents)
            if (d.path == r.file) return locationOf(uri, d.text, r.range);
        return locationOf(uriOf(r.file), contentOf(r.file), r.range);
    }

    Json completion(Document& d, const Json& params)
    {
        using Kind = SceneCompletion::Kind;
        static const std::map<Kind, int> kinds{{Kind::Component, 7}, {Kind::Node, 9},  {Kind::Attribute, 10},
                                               {Kind::Value, 12},    {Kind::Link, 18}, {Kind::File, 17}};
        const TextLines lines(d.text);
        Json items = Json::array();
        for (const SceneCompletion& c : d.analysis->completions(placeIn(d, params))) {
            const bool snippet = m_snippets && c.cursor < c.insert.size();
            std::string order = std::to_string(items.size());
            order.insert(0, 6 - std::min<std::size_t>(order.size(), 6), '0');
            Json item;
            item["label"] = c.label;
            item["kind"] = kinds.at(c.kind);
            item["sortText"] = order;
            item["filterText"] = c.label;
            item["insertTextFormat"] = snippet ? 2 : 1;
            item["textEdit"]["range"] = rangeOf(lines, c.replaced);
            item["textEdit"]["newText"] = snippet ? asSnippet(c.insert, c.cursor) : c.insert;
            if (!c.detail.empty()) item["detail"] = c.detail;
            if (!c.help.empty()) item["documentation"] = c.help;
            items.push_back(std::move(item));
        }
        Json list;
        list["isIncomplete"] = false;
        list["items"] = std::move(items);
        return list;
    }

    Json hover(Document& d, const Json& params)
    {
        const auto h = d.analysis->hover(placeIn(d, params));
        if (!h) return nullptr;
        Json answer;
        answer["contents"]["kind"] = "plaintext";
        answer["contents"]["value"] = h->title + (h->text.empty() ? "" : "\n\n" + h->text);
        answer["range"] = rangeOf(TextLines(d.text), h->range);
        return answer;
    }

    Json definition(Document& d, const Json& params)
    {
        const auto place = d.analysis->definition(placeIn(d, params));
        return place ? placeOf(*place) : Json();
    }

    Json references(Document& d, const Json& params)
    {
        const Json::json_pointer declaration("/context/includeDeclaration");
        const bool with = params.contains(declaration) && params[declaration] == true;
        Json list = Json::array();
        for (const FileRange& r : d.analysis->references(placeIn(d, params), with)) list.push_back(placeOf(r));
        return list;
    }

    Json prepareRename(Document& d, const Json& params)
    {
        const auto range = d.analysis->renamed(placeIn(d, params));
        return range ? rangeOf(TextLines(d.text), *range) : Json();
    }

    Json rename(Document& d, const Json& params)
    {
        if (d.analysis->isProvisional()) d.analysis->refresh();
        Json changes = Json::object();
        for (const FileEdits& f : d.analysis->rename(placeIn(d, params), textIn(params, "newName"))) {
            const Document* open = openFile(f.file);
            if (open && open != &d && open->text != readBytes(f.file))
                throw RpcError(RpcError::RequestFailed, "'" + f.file + "' must be saved first: links in it change too");
            const std::string text = contentOf(f.file);
            std::string uri = uriOf(f.file);
            for (const auto& [u, other] : m_documents)
                if (&other == open) uri = u;
            changes[uri] = editsOf(text, f.edits);
        }
        Json edit;
        edit["changes"] = std::move(changes);
        return edit;
    }

    Json symbols(Document& d, const Json&)
    {
        const TextLines lines(d.text);
        Json list = Json::array();
        for (const SceneSymbol& s : d.analysis->symbols()) list.push_back(symbolOf(lines, s));
        return list;
    }

    Json actions(Document& d, const Json& params)
    {
        const TextLines lines(d.text);
        const Json& range = member(params, "range");
        const std::size_t begin = offsetIn(lines, member(range, "start")), end = offsetIn(lines, member(range, "end"));
        std::string uri = textIn(member(params, "textDocument"), "uri");
        Json list = Json::array();
        for (const SceneProblem& p : d.analysis->problems()) {
            if (!p.inText || p.range.end < begin || p.range.begin > end) continue;
            for (const SceneFix& fix : d.analysis->fixes(p)) {
                Json action;
                action["title"] = fix.title;
                action["kind"] = "quickfix";
                action["diagnostics"].push_back(diagnosticOf(p.message, rangeOf(lines, p.range)));
                action["edit"]["changes"][uri] = editsOf(d.text, fix.edits);
                list.push_back(std::move(action));
            }
        }
        return list;
    }

    JsonRpc m_rpc;
    std::map<std::string, Document> m_documents;  ///< by their URI
    bool m_initialised = false, m_shutDown = false, m_exits = false;
    bool m_snippets = false, m_checkOnSave = true;
};

}  // namespace

int runLanguageServer()
{
    // Only the protocol goes to standard output.
    const int out = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const int code = LanguageServer(STDIN_FILENO, out).run();
    close(out);
    return code;
}

}  // namespace sofa::application
