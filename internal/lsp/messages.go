package lsp

import "encoding/json"

// The messages of the protocol, as far as they are read and written here. Lines and characters
// count from 0, and characters are units of UTF-16.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a range; its end is behind the last character.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type identifier struct {
	URI string `json:"uri"`
}

// The parameters of requests and notifications.
type (
	initializeParams struct {
		RootURI          string       `json:"rootUri"`
		WorkspaceFolders []identifier `json:"workspaceFolders"`
	}
	openParams struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	changeParams struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
		} `json:"textDocument"`
		ContentChanges []change `json:"contentChanges"`
	}
	// change replaces a range, or the whole text if there is none.
	change struct {
		Range *span  `json:"range"`
		Text  string `json:"text"`
	}
	documentParams struct {
		TextDocument identifier `json:"textDocument"`
	}
	watchedParams struct {
		Changes []identifier `json:"changes"`
	}
	positionParams struct {
		TextDocument identifier `json:"textDocument"`
		Position     position   `json:"position"`
		NewName      string     `json:"newName"` // of a rename
		Context      struct {   // of references
			IncludeDeclaration bool `json:"includeDeclaration"`
		} `json:"context"`
	}
	rangeParams struct {
		TextDocument identifier `json:"textDocument"`
		Range        span       `json:"range"`
	}
	commandParams struct {
		Command   string            `json:"command"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	cancelParams struct {
		ID json.RawMessage `json:"id"`
	}
)

// What is answered and told.
type (
	hover struct {
		Contents markup `json:"contents"`
		Range    span   `json:"range"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	textEdit struct {
		Range   span   `json:"range"`
		NewText string `json:"newText"`
	}
	workspaceEdit struct {
		Changes map[string][]textEdit `json:"changes"`
	}
	placeholder struct {
		Range       span   `json:"range"`
		Placeholder string `json:"placeholder"`
	}
	command struct {
		Title     string `json:"title"`
		Command   string `json:"command"`
		Arguments []any  `json:"arguments"`
	}
	codeLens struct {
		Range   span    `json:"range"`
		Command command `json:"command"`
	}
	diagnostic struct {
		Range    span   `json:"range"`
		Severity int    `json:"severity"`
		Source   string `json:"source"`
		Message  string `json:"message"`
	}
	diagnosticsParams struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version,omitempty"` // nil: the file is not open
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	messageParams struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}
)

// How serious a diagnostic or a message is.
const (
	severityError = 1 + iota
	severityWarning
	severityInformation
)

// object is a JSON object.
type object map[string]any

// capabilities are what the server can do.
var capabilities = object{
	"positionEncoding":           "utf-16",
	"textDocumentSync":           object{"openClose": true, "change": 2}, // 2: changes of ranges
	"hoverProvider":              true,
	"definitionProvider":         true,
	"referencesProvider":         true,
	"renameProvider":             object{"prepareProvider": true},
	"documentFormattingProvider": true,
	"codeLensProvider":           object{},
	"codeActionProvider":         true,
	"executeCommandProvider":     object{"commands": []string{runCommand, whyCommand, exploreCommand}},
}
