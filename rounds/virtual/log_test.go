package virtual_test

import (
	"strings"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
	"github.com/stretchr/testify/require"
)

// talker logs what it does.
type talker struct{ machine *virtual.Machine }

func (t talker) Stop() { t.machine.Logger().Debug("stopped") }

func (t talker) Report(m *virtual.Machine) { m.Logger().With("at", m.Round()).Info("all is well") }

// What a server logs has its round and its process in front, and no time.
func TestLog(t *testing.T) {
	var log strings.Builder
	s := &system.System{Name: "talkers", Processes: []string{"a", "b"}, Rounds: 1, New: virtual.New(virtual.Options{
		Log:   &log,
		Start: func(m *virtual.Machine) (virtual.Server, error) { return talker{m}, nil },
	})}
	_, err := s.Run(t.Context(), rounds.Schedule{}, system.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, `round 1 a: level=INFO msg="all is well" at=1
round 1 b: level=INFO msg="all is well" at=1
round 1 a: level=DEBUG msg=stopped
round 1 b: level=DEBUG msg=stopped
`, log.String())
}
