package system_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/stretchr/testify/require"
)

// one returns a system of one process a and a process b that does nothing.
func one(p script) *system.System {
	log := []string{}
	return &system.System{
		Name: "test", Processes: []string{"a", "b"}, Rounds: 3,
		New: func(name string, _ *rand.Rand) system.Process {
			if name == "a" {
				q := p
				q.name, q.log = name, &log
				return &q
			}
			return &script{name: name, log: &log}
		},
	}
}

type vote struct{ Term int }

func TestErrorsOfProcesses(t *testing.T) {
	var nobody *system.Step
	inRound2 := func(f func(*system.Step)) func(*system.Step) {
		return func(s *system.Step) {
			if s.Round() == 2 {
				f(s)
			}
		}
	}
	for name, test := range map[string]struct {
		system   *system.System
		schedule string
		message  string
	}{
		"panic in Send": {
			one(script{send: inRound2(func(*system.Step) { panic("no quorum") })}), "",
			`system "test": process a, round 2, in Send: panic at system/errors_test.go:`,
		},
		"panic of the runtime": {
			one(script{tick: inRound2(func(*system.Step) { nobody.Round() })}), "ticks 1",
			`system "test": process a, round 2, in Tick: panic at system/step.go:`,
		},
		"unknown destination": {
			one(script{send: inRound2(func(s *system.Step) { s.Send("z", 1) })}), "",
			`system "test": process a, round 2, in Send: it sends a message to "z", which is no process: the processes are ["a" "b"]`,
		},
		"sending inside Receive": {
			one(script{receive: func(s *system.Step, _ []system.Message) { s.Send("b", vote{3}) }}), "",
			`system "test": process a, round 1, in Receive: the message vote to b was generated and delivered inside one round, which lock-step rounds do not allow: keep it, and send it in the next call of Send`,
		},
		"broadcasting inside Receive": {
			one(script{receive: func(s *system.Step, _ []system.Message) { s.Broadcast(&vote{3}) }}), "",
			`the message vote to all was generated and delivered inside one round`,
		},
		"a reply to nobody": {
			one(script{send: func(s *system.Step) { s.Reply(system.Request{ID: 4}, "ok") }}), "",
			`system "test": process a, round 1, in Send: it replies to request 4, which no client has made`,
		},
		"restart without Restarter": {
			one(script{}), "crash a@1; restart a@2",
			`system "test": process a, round 2, in Restart: it is to restart, but does not say what survives a crash: give it a method Restart(*system.Step) (system.Restarter)`,
		},
		"impossible schedule": {
			one(script{}), "restart a@2",
			`system "test": schedule: restart a@2: a has not crashed before`,
		},
		"too many rounds": {
			one(script{}), "crash a@4",
			`system "test": schedule: crash a@4: there is no round 4, the rounds are 1 to 3 (eot=3)`,
		},
		"no processes made": {
			&system.System{Name: "none", Processes: []string{"a"}, Rounds: 1, New: func(string, *rand.Rand) system.Process { return nil }}, "",
			`system "none": process a, before the first round, in New: it returns no process`,
		},
		"a wrong system": {
			&system.System{Name: "wrong", Processes: []string{"a", "a"}, MinTicks: 3, MaxTicks: 2, Requests: []system.Request{{ID: 2, Process: "z"}, {Round: 1, Process: "a"}}}, "",
			"system \"wrong\": it has no New, which makes its processes\nbounds: process a is named twice\nMinTicks is 3 and MaxTicks 2, which is no range\n" +
				"request 2 is made of \"z\", which is no process\nrequest 2 is made in round 0, and rounds count from 1\nRequests[1] has the ID 2 of another request",
		},
		"no rounds": {
			&system.System{Name: "short", Processes: []string{"a"}, New: one(script{}).New}, "",
			`system "short": bounds: eot=0: there has to be at least one round`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.system.Run(context.Background(), parse(t, test.schedule), system.RunOptions{})
			require.ErrorContains(t, err, test.message)
		})
	}
}

func TestErrorValues(t *testing.T) {
	cause := errors.New("disk full")
	s := one(script{send: func(*system.Step) { panic(cause) }})
	_, err := s.Run(context.Background(), rounds.Schedule{}, system.RunOptions{})
	var wrong *system.Error
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "a", wrong.Process)
	require.Equal(t, 1, wrong.Round)
	require.Equal(t, "Send", wrong.Call)
	require.ErrorIs(t, err, cause)
}

// After an error the runner can be used for another execution.
func TestRunnerAfterError(t *testing.T) {
	s := one(script{})
	r := s.NewRunner()
	require.Error(t, r.Run(context.Background(), parse(t, "crash z@1")))
	require.Error(t, r.Run(context.Background(), parse(t, "crash a@1; restart a@2")))
	require.NoError(t, r.Run(context.Background(), rounds.Schedule{}))
	require.Nil(t, r.Execution(), "nothing was recorded")

	r.Options.Rounds = 5
	require.NoError(t, r.Run(context.Background(), parse(t, "crash a@5")))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, r.Run(ctx, rounds.Schedule{}), context.Canceled)
}
