package assistant

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool is a question that can be asked. It changes nothing.
type Tool struct {
	Name, Title, Description string
	Parameters               []Parameter

	// Ask answers a call. It ends soon after its context. Several calls are
	// answered at once.
	Ask func(context.Context, Arguments) Answer
}

// Parameter is what a tool can be given.
type Parameter struct {
	Name, Description string
	Kind              Kind
	Required          bool
	Members           []Parameter // of a [Group]
}

// Kind is what the value of a parameter is.
type Kind int

// The kinds of values.
const (
	Text   Kind = iota
	Texts       // a list of texts
	Number      // a whole one
	Truth       // true or false
	Either      // a text or a whole number
	Group       // an object with the values of other parameters
)

// String says what is expected.
func (k Kind) String() string {
	return [...]string{"a text", "a list of texts", "a whole number", "true or false", "a text or a whole number", "an object"}[k]
}

// Answer is what a tool answers.
type Answer struct {
	JSON  json.RawMessage // all of it; nil if there is none
	Text  string          // the same for reading
	Wrong string          // if there is no answer: what is wrong with the question
}

// described is the tool as clients are told of it.
func (t *Tool) described() *mcp.Tool {
	closed := false
	return &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: object(t.Parameters),
		Annotations: &mcp.ToolAnnotations{Title: t.Title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &closed, OpenWorldHint: &closed},
	}
}

// object is the JSON Schema of an object with the values of parameters.
func object(parameters []Parameter) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, p := range parameters {
		properties[p.Name] = p.schema()
		if p.Required {
			required = append(required, p.Name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// schema is the JSON Schema of the values of a parameter.
func (p *Parameter) schema() map[string]any {
	schema := map[string]any{}
	switch p.Kind {
	case Texts:
		schema["type"], schema["items"] = "array", map[string]any{"type": "string"}
	case Number:
		schema["type"] = "integer"
	case Truth:
		schema["type"] = "boolean"
	case Either:
		schema["type"] = []string{"string", "integer"}
	case Group:
		schema = object(p.Members)
	default:
		schema["type"] = "string"
	}
	schema["description"] = p.Description
	return schema
}
