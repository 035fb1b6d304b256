package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/creachadair/jrpc2"
)

// Server answers editors.
type Server struct {
	Version string
	// Ask carries out a command line of ldfi about files, and returns what it prints. The error
	// is one for the user.
	Ask func(ctx context.Context, files fs.FS, line []string) (string, error)
}

// conversation is what one editor has told.
type conversation struct {
	*Server
	rpc     *jrpc2.Server
	methods map[string]jrpc2.Handler
	changes chan struct{} // something is dirty

	mutex     sync.Mutex
	folders   []string
	open      map[string]*document       // by path
	reads     map[string]map[string]bool // which files each program reads, or would, by their paths
	dirty     map[string]bool            // the files that have changed since they were checked
	interrupt context.CancelFunc         // ends the evaluation that is under way

	surveying sync.Mutex
	surveyed  bool
	over      func() bool // whether the conversation is

	phase  phase // of the protocol; only the dispatcher uses it
	abrupt bool  // the editor ended it without a shutdown
}

// phase is how far a conversation is.
type phase int

const (
	fresh phase = iota // nothing but initialize can be asked
	running
	shutDown // nothing but the end can come
)

// atOnce is how many requests are answered at the same time.
const atOnce = 64

// Serve talks to an editor until it ends the talk or the input, or the context ends. It
// returns whether the end was one that the protocol has: exit needs a shutdown before.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (orderly bool, err error) {
	ctx, end := context.WithCancel(ctx)
	c := &conversation{
		Server: s, over: func() bool { return ctx.Err() != nil }, changes: make(chan struct{}, 1), interrupt: func() {},
		open: map[string]*document{}, reads: map[string]map[string]bool{}, dirty: map[string]bool{},
	}
	c.methods = c.handlers()
	c.rpc = jrpc2.NewServer(c, &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: atOnce, NewContext: func() context.Context { return ctx },
	})
	c.rpc.Start(newStream(in, out))
	defer context.AfterFunc(ctx, c.rpc.Stop)()
	var checking sync.WaitGroup
	checking.Go(func() { c.check(ctx) })
	status := c.rpc.WaitStatus()
	end()
	checking.Wait()
	if status.Err == nil || errors.Is(status.Err, syscall.EPIPE) {
		return !c.abrupt, nil
	}
	return false, fmt.Errorf("talking to the editor: %w", status.Err)
}

// The errors of the protocol.
const (
	notInitialized jrpc2.Code = -32002
	requestFailed  jrpc2.Code = -32803
	cancelled      jrpc2.Code = -32800
)

// Assign returns what answers a method. The dispatcher calls it in the order of the messages.
func (c *conversation) Assign(_ context.Context, method string) jrpc2.Handler {
	before := c.phase
	switch {
	case method == "exit":
		c.abrupt = before != shutDown
		return func(context.Context, *jrpc2.Request) (any, error) { c.rpc.Stop(); return nil, nil }
	case method == "initialize" && before == fresh:
		c.phase = running
	case method == "shutdown" && before == running:
		c.phase = shutDown
	case before == fresh:
		return refusal(notInitialized, "the first request has to be initialize")
	case before == shutDown || method == "initialize":
		return refusal(jrpc2.InvalidRequest, method+" cannot be asked now")
	}
	return c.methods[method]
}

// refusal answers that something is not answered.
func refusal(code jrpc2.Code, why string) jrpc2.Handler {
	return func(context.Context, *jrpc2.Request) (any, error) { return nil, &jrpc2.Error{Code: code, Message: why} }
}

// handlers are what answers the methods.
func (c *conversation) handlers() map[string]jrpc2.Handler {
	return map[string]jrpc2.Handler{
		"initialize":                      answering(c.initialize),
		"shutdown":                        func(context.Context, *jrpc2.Request) (any, error) { return nil, nil },
		"$/cancelRequest":                 answering(c.cancel),
		"textDocument/didOpen":            answering(c.didOpen),
		"textDocument/didChange":          answering(c.didChange),
		"textDocument/didClose":           answering(c.didClose),
		"workspace/didChangeWatchedFiles": answering(c.didChangeFiles),
		"textDocument/hover":              answering(c.hover),
		"textDocument/definition":         answering(c.definition),
		"textDocument/references":         answering(c.references),
		"textDocument/prepareRename":      answering(c.prepareRename),
		"textDocument/rename":             answering(c.rename),
		"textDocument/formatting":         answering(c.format),
		"textDocument/codeLens":           answering(c.lenses),
		"textDocument/codeAction":         answering(c.actions),
		"workspace/executeCommand":        answering(c.execute),
	}
}

// answering makes a handler of a method that has its parameters as a type of Go.
func answering[P any](answer func(context.Context, P) (any, error)) jrpc2.Handler {
	return func(ctx context.Context, request *jrpc2.Request) (any, error) {
		var params P
		if request.HasParams() {
			if err := json.Unmarshal([]byte(request.ParamString()), &params); err != nil {
				return nil, &jrpc2.Error{Code: jrpc2.InvalidParams, Message: err.Error()}
			}
		}
		result, err := answer(ctx, params)
		switch {
		case ctx.Err() != nil:
			return nil, &jrpc2.Error{Code: cancelled, Message: "cancelled"}
		case err != nil:
			return nil, &jrpc2.Error{Code: requestFailed, Message: err.Error()}
		}
		return result, nil
	}
}

// notify tells the editor something. That it is gone is seen elsewhere.
func (c *conversation) notify(method string, params any) {
	_ = c.rpc.Notify(context.Background(), method, params)
}

func (c *conversation) initialize(_ context.Context, p initializeParams) (any, error) {
	folders := p.WorkspaceFolders
	if len(folders) == 0 {
		folders = []identifier{{p.RootURI}}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, folder := range folders {
		if path, ok := pathOf(folder.URI); ok {
			c.folders = append(c.folders, path)
		}
	}
	return object{"capabilities": capabilities, "serverInfo": object{"name": "ldfi", "version": c.Version}}, nil
}

func (c *conversation) cancel(_ context.Context, p cancelParams) (any, error) {
	c.rpc.CancelRequest(string(p.ID))
	return nil, nil
}

func (c *conversation) didOpen(_ context.Context, p openParams) (any, error) {
	if path, ok := pathOf(p.TextDocument.URI); ok {
		d := newDocument(path, p.TextDocument.URI, p.TextDocument.Text)
		d.version = &p.TextDocument.Version
		c.set(path, d)
	}
	return nil, nil
}

func (c *conversation) didChange(_ context.Context, p changeParams) (any, error) {
	path, _ := pathOf(p.TextDocument.URI)
	if d := c.opened(path); d != nil {
		d = d.change(p.ContentChanges)
		d.version = &p.TextDocument.Version
		c.set(path, d)
	}
	return nil, nil
}

func (c *conversation) didClose(_ context.Context, p documentParams) (any, error) {
	if path, ok := pathOf(p.TextDocument.URI); ok {
		c.set(path, nil)
	}
	return nil, nil
}

func (c *conversation) didChangeFiles(_ context.Context, p watchedParams) (any, error) {
	for _, file := range p.Changes {
		if path, ok := pathOf(file.URI); ok {
			c.changed(path)
		}
	}
	return nil, nil
}

// set changes what the editor has open at a path; nil: nothing.
func (c *conversation) set(path string, d *document) {
	c.mutex.Lock()
	if c.open[path] = d; d == nil {
		delete(c.open, path)
	}
	if len(c.folders) == 0 {
		c.folders = append(c.folders, filepath.Dir(path))
	}
	c.mutex.Unlock()
	c.changed(path)
}

// opened returns the document that the editor has open at a path, nil if there is none.
func (c *conversation) opened(path string) *document {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.open[path]
}
