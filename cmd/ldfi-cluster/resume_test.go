//go:build linux

package main_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
)

// A coordinator that is killed and asks again gets what was done meanwhile.
func TestResume(t *testing.T) {
	s := newStage(t, 1, nil)
	suite := s.suite("one", few)
	s.alone(few)
	coordinator := s.check(suite, "--workers", s.url())
	s.untilBusy(s.workers[0])
	time.Sleep(500 * time.Millisecond) // some cases are done by then, and others not
	s.kill(coordinator)
	spent := time.Now()
	s.requireSame(few, s.check(suite, "--workers", s.url()))
	t.Log("the rest took", time.Since(spent))
	// Nothing of it has to be done now: there is nobody who could.
	s.interrupt(s.workers[0], 10*time.Second)
	again := s.check(suite, "--workers", s.url(), "--recheck", "0")
	s.requireSame(few, again)
	require.Regexp(t, fmt.Sprintf(`computed by: \S+ \(%d units, kept from before\); 0 of %d answers rechecked`, few, few), again.err.String())
}

// So it is with the executions of a search that draws them.
func TestResumeDraws(t *testing.T) {
	s := newStage(t, 1, func(s *stage) { s.work = append(s.work, "--allow-hosts") })
	s.resumes("run --system " + s.electionHost() + " --name election --isolations 2 --eff 4 --strategy sample --executions 300000 --output json")
}

var computedByTwo = regexp.MustCompile(`computed by: (\S+) \(\d+ units?\), (\S+) \((\d+) units?, kept from before\)`)

// resumes kills who asks when some units are done. Then the worker ends as well, and another
// one does the rest when it is asked again: it does nothing that the first one has done.
func (s *stage) resumes(asked string) {
	s.t.Helper()
	const some = 3
	words := strings.Fields(asked)
	ask := func() *process { return s.start("ldfi", append(words, "--recheck", "0", "--workers", s.url())...) }
	here, code := s.outcome(s.start("ldfi", words...))
	s.waitFor(s.workers[0], "does units")
	done := s.hearDone()
	killed := ask()
	require.Eventually(s.t, func() bool { return len(done()) >= some || !s.running(killed) }, 20*time.Second, time.Millisecond)
	require.True(s.t, s.running(killed), "it has ended already: %s", &killed.err)
	s.kill(killed)
	require.Empty(s.t, killed.out.String())
	s.interrupt(s.workers[0], 10*time.Second)
	s.waitFor(s.startWorker(), "does units")

	again := ask()
	there, codeThere := s.outcome(again)
	require.Equal(s.t, here, there, &again.err)
	require.Equal(s.t, code, codeThere)
	who := computedByTwo.FindStringSubmatch(again.err.String())
	require.NotNil(s.t, who, &again.err)
	require.NotEqual(s.t, who[1], who[2])
	kept, err := strconv.Atoi(who[3])
	require.NoError(s.t, err)
	require.GreaterOrEqual(s.t, kept, some)
	for address, workers := range done() {
		require.Len(s.t, workers, 1, "the unit %s was done again", address)
	}
	s.t.Logf("%.1f s: %s", time.Since(killed.begun).Seconds(), who[0])
}

// hearDone returns who has done which unit, from now on: tokens of workers, by the address of
// the unit.
func (s *stage) hearDone() (done func() map[string][]string) {
	s.t.Helper()
	var mutex sync.Mutex
	all := map[string][]string{}
	nc := s.connect()
	_, err := nc.Subscribe("$KV.ldfi-results.final.>", func(m *nats.Msg) {
		at := strings.Split(m.Subject, ".") // of build, address, job and worker
		mutex.Lock()
		defer mutex.Unlock()
		if address, worker := at[4], at[6]; !slices.Contains(all[address], worker) {
			all[address] = append(slices.Clip(all[address]), worker)
		}
	})
	require.NoError(s.t, err)
	require.NoError(s.t, nc.Flush())
	return func() map[string][]string {
		mutex.Lock()
		defer mutex.Unlock()
		return maps.Clone(all)
	}
}
