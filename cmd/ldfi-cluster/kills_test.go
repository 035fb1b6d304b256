//go:build linux

package main_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// Whoever is killed, and whenever: the answer is the same, and nothing is left.
func TestKills(t *testing.T) {
	kills, cases := 5, few
	if *long {
		kills, cases = 100, 120
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	some := func(least, most time.Duration) { time.Sleep(least + time.Duration(random.Int64N(int64(most-least)))) }

	s := newStage(t, 2, nil)
	workers := s.workers
	s.alone(cases)
	for round := 0; kills > 0; round++ {
		suite := s.suite(fmt.Sprint(round), cases)
		ask := func() *process { return s.check(suite, "--workers", s.url()) }
		for coordinator := ask(); ; kills-- {
			select {
			case <-coordinator.ended:
			case <-time.After(200*time.Millisecond + time.Duration(random.Int64N(int64(time.Second)))):
			}
			if kills == 0 {
				s.wait(coordinator, 2*time.Minute)
			}
			if !s.running(coordinator) && s.unreachable(coordinator) {
				coordinator, kills = ask(), kills+1 // the server was killed when it was just beginning
				continue
			}
			if !s.running(coordinator) {
				s.requireSame(cases, coordinator)
				break
			}
			switch who := random.IntN(4); who {
			case 0, 1:
				t.Logf("kill worker %d", who)
				s.kill(workers[who])
				some(0, time.Second)
				workers[who] = s.startWorker()
			case 2:
				t.Log("kill the coordinator")
				s.kill(coordinator)
				some(0, 200*time.Millisecond)
				coordinator = ask()
			case 3:
				t.Log("kill the server")
				s.kill(s.server)
				some(0, time.Second)
				s.startServer()
			}
		}
	}
}
