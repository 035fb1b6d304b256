package wire_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/messages"
	"github.com/lineage-driven/ldfi/ldfi/wire"
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
		err := wire.ServeOn(strings.NewReader(text), &out, tiny())
		in := messages.NewLines(&out, messages.MaxAnswer)
		for {
			var a messages.Answer
			end := in.Next(&a)
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
