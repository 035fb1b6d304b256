package suite

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// A report is the same after JSON, whatever its cases are.
func TestReportJSON(t *testing.T) {
	retry := &subject.Protocol{Common: subject.Common{Dir: "../../testdata/protocols"}, Files: []string{"delivery/retry.ded"}}
	o, err := retry.Open(t.Context())
	require.NoError(t, err)
	answer, err := o.Search(t.Context())
	require.NoError(t, err)
	answer.Stats.Times = result.Times{}
	for i := range answer.Warnings {
		answer.Warnings[i].Excerpt = "" // JSON has none
	}
	two := 2
	r := &Report{
		Version: reportVersion, Suite: "ldfi.yaml", Digest: "d", Shard: "1/3", Total: 9,
		Cases: []CaseResult{
			{Name: "retry", Position: specs.Position{File: "ldfi.yaml", Line: 3, Column: 5}, Expect: result.Holds, ExpectFaults: &two, Answer: answer, Cached: true,
				Outcome: Fail, Differs: "violated > holds", Again: retry.InjectCommand(answer.First().Schedule), NewKept: "x.txt",
				Kept: []KeptResult{{File: "y.txt", Schedule: answer.First().Schedule, Outcome: "violated", Again: "again"}}},
			{Index: 3, Name: "broken", Expect: result.Violated, Error: "no such file", Outcome: Error, Differs: "no such file"},
		},
		Warnings: []string{"careful"},
	}
	var b bytes.Buffer
	require.NoError(t, r.WriteJSON(&b))
	require.Contains(t, b.String(), `"schedule": "crash a@2; omit a>b@1"`)
	again, err := ReadReport(&b)
	require.NoError(t, err)
	require.Equal(t, r, again)
	require.Equal(t, Error, r.Worst())
	require.Equal(t, 1, r.Count(Fail))
}

func TestReadReportRefuses(t *testing.T) {
	for text, wrong := range map[string]string{
		"":                                     "EOF",
		"[]":                                   "cannot unmarshal array",
		`{"version":2}`:                        "its version is 2",
		`{"version":1,"cases":[{"name":"a"}]}`: `case "a": there is no outcome ""`,
		`{"version":1,"cases":[{"outcome":"pass"}]}`:                                                             `it lacks its answer`,
		`{"version":1,"cases":[{"outcome":"pass","answer":{}}]}`:                                                 `lacks the verdict or the scope`,
		`{"version":1,"cases":[{"outcome":"pass","answer":{"verdict":"maybe"}}]}`:                                `there is no verdict "maybe"`,
		`{"version":1,"cases":[{"outcome":"pass","answer":{"verdict":"violated","scope":{"scenarios":1}}}]}`:     `does not say what is violated`,
		`{"version":1,"cases":[{"outcome":"pass","answer":{"verdict":"inconclusive","scope":{"scenarios":1}}}]}`: `does not say why it is inconclusive`,
		`{"version":1,"total":1,"cases":[{"index":1,"outcome":"error"}]}`:                                        "it has number 2 of 1 case",
	} {
		_, err := ReadReport(strings.NewReader(text))
		require.ErrorContains(t, err, wrong, text)
	}
}
