package remote

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/internal/search"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/specs/property"
	"github.com/lineage-driven/ldfi/specs/property/rules"
	"github.com/stretchr/testify/require"
)

func tiny() *system.System {
	return &system.System{
		Name: "s", Processes: []string{"a", "b"}, Rounds: 2,
		New:        func(string, *rand.Rand) system.Process { return still{} },
		Properties: []property.Property{rules.New("p", "violation(P) :- crashed(P, R).")},
	}
}

type still struct{}

func (still) Send(s *system.Step)                    { s.Broadcast("x") }
func (still) Receive(*system.Step, []system.Message) {}

const hello = `{"id":1,"do":"hello","version":1}` + "\n"

// FuzzRemote lets a host answer any lines.
func FuzzRemote(f *testing.F) {
	var answers bytes.Buffer
	requests := hello + `{"id":2,"do":"run","system":"s","schedule":"crash a@1"}` + "\n" +
		`{"id":3,"do":"search","system":"s","strategy":"sample","bounds":{"processes":["a","b"],"eot":2,"crashes":1,"omissions":0,"isolations":0,"period":1}}`
	if err := wire.ServeOn(strings.NewReader(requests), &answers, tiny()); err != nil {
		f.Fatal(err)
	}
	description, _, _ := strings.Cut(answers.String(), "\n")
	for _, text := range []string{
		"", "null", "{}", `{"id":1}`, `{"id":0,"error":"x"}`, `{"id":1,"error":"x"}`, `{"id":1,"version":1}`,
		`{"id":1,"version":1,"systems":[{}]}`, answers.String(), description + "\n" + `{"id":2}`,
		description + "\n" + `{"id":2,"violations":[{"property":"q"}]}`,
		description + "\n" + `{"id":2,"violations":[{"property":"p"}],"execution":{}}`,
		strings.ReplaceAll(description, `"judged":true`, `"judged":false`) + "\n" + `{"id":2}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// The host says all it has to say once it is asked something.
		asked := make(chan struct{}, 1)
		r := connect(&late{asked: asked, Reader: strings.NewReader(text)}, signal(asked), Options{}, func() error { return nil })
		defer r.Close()
		if r.greet(context.Background()) != nil {
			return
		}
		for _, s := range r.Systems() {
			e, violations, err := s.Execute(context.Background(), rounds.Schedule{}, 0, messages.Violated)
			if err == nil && len(violations) > 0 {
				require.NoError(t, e.Validate())
			}
			answer, err := s.Search(context.Background(), search.Options{Executions: 3})
			if err == nil && answer.Verdict == result.Violated {
				require.NoError(t, answer.First().Execution.Validate())
			}
		}
	})
}

// late is a reader that waits until somebody asks.
type late struct {
	io.Reader
	asked <-chan struct{}
	began bool
}

func (l *late) Read(p []byte) (int, error) {
	if !l.began {
		<-l.asked
		l.began = true
	}
	return l.Reader.Read(p)
}

type signal chan<- struct{}

func (s signal) Write(p []byte) (int, error) {
	select {
	case s <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (s signal) Close() error { return nil }
