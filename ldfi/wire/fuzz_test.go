package wire

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/ldfi/search"
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

// FuzzHost sends a host any lines.
func FuzzHost(f *testing.F) {
	for _, text := range []string{
		"", "\n", "{", "null", "[]", hello, hello + hello,
		`{"id":1,"do":"run"}`, `{"id":-1,"do":"hello"}`, `{"id":1,"do":"hello","version":2}`,
		hello + `{"id":2,"do":"run","system":"s","schedule":"crash a@1","rounds":2,"recording":"always"}`,
		hello + `{"id":2,"do":"run","system":"s","schedule":"crash c@9"}`,
		hello + `{"id":2,"do":"run","system":"t"}`,
		hello + `{"id":2,"do":"run","system":"s","rounds":-7}`,
		hello + `{"id":2,"do":"vet","system":"s","runs":3,"seed":18446744073709551615}`,
		hello + `{"id":2,"do":"search","system":"s","bounds":{"processes":["a","b"],"eot":2,"crashes":1,"omissions":0,"isolations":0,"period":1},"executions":5}`,
		hello + `{"id":2,"do":"search","system":"s","strategy":"spread","executions":5}` + "\n" + `{"id":3,"do":"cancel","of":2}`,
		hello + `{"id":2,"do":"search","system":"s","strategy":"x","settings":"crash a@1"}`,
		hello + `{"id":2,"do":"dance","system":"s"}`,
		`{"id":1,"do":"hello","version":1,"properties":[{"name":"q","rules":"violation(X) :- "}]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		err := ServeOn(strings.NewReader(text), &out, tiny())
		in := newLines(&out, maxAnswer)
		for {
			var a answer
			end := in.next(&a)
			if end == io.EOF {
				break
			}
			require.NoError(t, end)
			if a.ID == 0 {
				require.Error(t, err)
			}
		}
	})
}

// FuzzRemote lets a host answer any lines.
func FuzzRemote(f *testing.F) {
	var answers bytes.Buffer
	requests := hello + `{"id":2,"do":"run","system":"s","schedule":"crash a@1"}` + "\n" +
		`{"id":3,"do":"search","system":"s","strategy":"sample","bounds":{"processes":["a","b"],"eot":2,"crashes":1,"omissions":0,"isolations":0,"period":1}}`
	if err := ServeOn(strings.NewReader(requests), &answers, tiny()); err != nil {
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
			e, violations, err := s.Execute(context.Background(), rounds.Schedule{}, 0, Violated)
			if err == nil && len(violations) > 0 {
				require.NoError(t, e.Validate())
			}
			answer, err := s.Search(context.Background(), "", s.Target(rounds.Bounds{}), search.Options{Executions: 3})
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
