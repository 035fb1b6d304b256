package datalog_test

import (
	"bytes"
	"testing"

	"github.com/google/mangle/parse"
	"github.com/lineage-driven/ldfi/internal/datalog"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/recording"
	"github.com/lineage-driven/ldfi/specs"
	"github.com/stretchr/testify/require"
)

// What is written can be printed, is read as it was, and is Mangle.
func TestMangleOfHostileStrings(t *testing.T) {
	for _, s := range []string{
		"\x1b[2J\n\t\r\x00\x7f", "\u202e\u2028\u0085", "##[error]", `\u{202e}`, `\\u202e"`, "a\u200bb", "👨\u200d👩\u200d👧", "\u0301", "e\u0301 参加者", "\xff\u202e", "\U000e0041",
	} {
		e := &recording.Execution{Bounds: rounds.Bounds{Processes: []string{"a"}, EOT: 1},
			Facts: []recording.Fact{{Relation: "x", Args: []specs.Value{specs.String(s)}, Round: 1}}}
		var out bytes.Buffer
		require.NoError(t, datalog.WriteMangle(&out, e))
		require.Equal(t, out.String(), text.SafeLines(out.String()))
		if s[0] != 0xff { // Mangle cannot have byte strings in rules
			_, err := parse.Unit(bytes.NewReader(out.Bytes()))
			require.NoError(t, err, "%s", out.String())
		}
		facts, err := datalog.ReadMangle(&out)
		require.NoError(t, err)
		require.Contains(t, facts, recording.Fact{Relation: "x", Args: []specs.Value{specs.String(s), specs.Int(1)}, Round: 1}, "%+q", s)
	}
}
