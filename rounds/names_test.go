package rounds_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/stretchr/testify/require"
)

// A process has a name that is printed as it is, or none: so schedules can be
// copied from what is printed.
func TestNamesArePrintable(t *testing.T) {
	for _, name := range []string{
		"a", "参加者", "e\u0301tienne", "x/y-1.2?", "\\x1b", "::error::x", "🇦🇹",
		"\x1b", "a\u200bb", "\u202ea", "\u3164", "\u0301a", "a\ufe0f", "\ue000", "\U000e0041", "##[error]", "\u034f", "\xff", "a\nb",
	} {
		err := rounds.Bounds{Processes: []string{name}, EOT: 2}.Validate()
		if text.Safe(name) != name {
			require.Error(t, err, "%+q", name)
			require.ErrorContains(t, err, "process name")
			continue
		}
		require.NoError(t, err, "%+q", name)
		s := rounds.Schedule{Faults: []rounds.Fault{{Kind: rounds.Crash, Process: name, Round: 1}, {Kind: rounds.Omit, Process: name, To: name, Round: 1}}}
		read, err := rounds.ParseSchedule(text.Safe(s.String()))
		require.NoError(t, err)
		require.Equal(t, s, read)
	}
}
