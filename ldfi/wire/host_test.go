package wire_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/ldfi/wire"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// A request that cannot be fulfilled is answered by its id, and the host goes on.
func TestRequestsThatCannotBeFulfilled(t *testing.T) {
	for request, wrong := range map[string]string{
		`{"id":2,"do":"run","system":"s","schedule":"crush a@1"}`:                  `is no line of the protocol: schedule: column 1: `,
		`{"id":2,"do":"run","system":"s","schedule":7}`:                            "is no line of the protocol",
		`{"id":2,"do":"run","system":"s","schedule":"crash x@1"}`:                  `there is no process "x"`,
		`{"id":2,"do":"run","system":"s","rounds":-1}`:                             "an execution has 1 to 100000 rounds, and not -1",
		`{"id":2,"do":"run","system":"s","rounds":"two"}`:                          "is no line of the protocol",
		`{"id":2,"do":"run","system":"s","recording":"sometimes"}`:                 `a recording is sent always, violated or never, and not "sometimes"`,
		`{"id":2,"do":"run","system":"t"}`:                                         `the host has no system "t"`,
		`{"id":2,"do":"dance"}`:                                                    `there is no request "dance"`,
		`{"id":2}`:                                                                 `there is no request ""`,
		`{"id":2,"do":"hello","version":1}`:                                        "hello is said once",
		`{"id":2,"do":"cancel"}`:                                                   "a cancel is of a search, whose id is 1 or more, and not 0",
		`{"id":2,"do":"vet","system":"s"}`:                                         "the runs of a vet are 1 to 100000, and not 0",
		`{"id":2,"do":"search","system":"s","executions":-5}`:                      "a search has 0 or more executions, and not -5",
		`{"id":2,"do":"search","system":"s","bounds":{"crashes":-1}}`:              "is no line of the protocol: bounds: a budget is a whole number",
		`{"id":2,"do":"search","system":"s","bounds":{"eot":100001}}`:              "an execution has 1 to 100000 rounds, and not 100001",
		`{"id":2,"do":"search","system":"s","bounds":{"processes":["a"],"eot":2}}`: `the system has the processes ["a" "b"], and not ["a"]`,
		`{"id":2,"do":"search","system":"s","settings":"crash a@1"}`:               "crash a@1 is a fault",
		`{"id":2,"do":"search","system":"s","strategy":"x"}`:                       `there is no strategy "x"`,
	} {
		var out bytes.Buffer
		require.NoError(t, wire.ServeOn(strings.NewReader(hello+request+"\n"+`{"id":3,"do":"run","system":"s"}`), &out, tiny()), request)
		require.Contains(t, out.String(), `{"id":2,"error":"`, request)
		require.Contains(t, strings.ReplaceAll(out.String(), `\"`, `"`), wrong, request)
		require.Contains(t, out.String(), `{"id":3}`, "the host goes on after "+request)
	}
}

// What has no id is answered without one, and the host ends.
func TestLinesThatAreNoRequests(t *testing.T) {
	for _, line := range []string{"{", "[]", "7", `{"id":"x","do":"run"}`, `{"id":0,"do":"run"}`, `{"id":-4,"do":"run","schedule":"x"}`, `{"do":"run","schedule":"x"}`} {
		var out bytes.Buffer
		require.Error(t, wire.ServeOn(strings.NewReader(hello+line), &out, tiny()), line)
		require.Contains(t, out.String(), `{"id":0,"error":"`)
	}
}

// A host whose input ends while a process hangs writes empty lines, so that it
// notices when nobody reads them.
func TestEndWhileAProcessHangs(t *testing.T) {
	end := make(chan struct{})
	hanging := tiny()
	hanging.New = func(string, *rand.Rand) system.Process { return waiting(end) }
	answers, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- wire.ServeOn(strings.NewReader(hello+`{"id":2,"do":"run","system":"s"}`), out, hanging)
	}()
	text := make([]byte, 1<<16)
	for deadline := time.Now().Add(20 * time.Second); ; {
		require.True(t, time.Now().Before(deadline))
		n, err := answers.Read(text)
		require.NoError(t, err)
		if string(text[:n]) == "\n" {
			break
		}
	}
	answers.Close()
	close(end)
	require.ErrorContains(t, <-served, "writing answers")
}

// waiting is a process that does not come back from its first call.
type waiting chan struct{}

func (w waiting) Send(*system.Step)                      { <-w }
func (w waiting) Receive(*system.Step, []system.Message) {}
