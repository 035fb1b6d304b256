const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const server = { command: workspace.getConfiguration("ldfi").get("path"), args: ["lsp"] };
  client = new LanguageClient("ldfi", "ldfi", server, {
    documentSelector: [{ scheme: "file", language: "dedalus" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.ded") },
  });
  return client.start();
};

exports.deactivate = () => client?.stop();
