package virtual

import (
	"errors"
	"fmt"
	"testing/synctest"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// server is what Start has returned, or will return, and how it is called. Its methods
// are called in the main goroutine of the bubble.
type server struct {
	machine *Machine
	server  Server
	started chan struct{} // closed when there is one
	gone    chan struct{} // closed when there will be none any more
	wrong   error         // what it does and must not

	asked    chan Reporter // one that is to report
	reported chan struct{} // closed when what asks for reports has ended, else has room for its answer
}

// start calls Start, which may go on for several rounds.
func (v *server) start(start func(*Machine) (Server, error)) {
	v.started, v.gone = make(chan struct{}), make(chan struct{})
	v.goes(func() {
		server, err := start(v.machine)
		switch {
		case err != nil:
			v.machine.dies(system.PanicError{Exit: true, Value: err, Text: fmt.Sprintf("it does not start: %v", err)})
		case server == nil:
			panic(errors.New("it has no server: Start returns nil"))
		default:
			v.server = server
			close(v.started)
		}
	})
}

// ask hands over a request, when the server has started.
func (v *server) ask(r system.Request) {
	v.goes(func() {
		select {
		case <-v.started:
		case <-v.gone:
			return
		}
		requester, ok := v.server.(Requester)
		if !ok {
			panic(fmt.Errorf("a client asks %v of it, but it takes no requests: give the server a method Request(system.Request)", r.Payload))
		}
		requester.Request(r)
	})
}

// reporter returns the server if it has started and has something to report.
func (v *server) reporter() Reporter {
	reporter, _ := v.server.(Reporter)
	return reporter
}

// report lets the server report facts, if there is a reporter.
func (v *server) report(m *Machine) {
	reporter := v.reporter()
	if reporter == nil || m.death() != nil {
		return
	}
	if v.asked == nil {
		v.asked, v.reported = make(chan Reporter), make(chan struct{}, 1)
		v.goes(v.reports)
	}
	v.asked <- reporter
	synctest.Wait()
	select {
	case <-v.reported:
	default:
		v.wrong = errors.New("its Report waits for something that does not happen in this round: it must only tell what is there")
	}
}

// reports lets the server report, in one goroutine for all rounds: its stack has grown
// then.
func (v *server) reports() {
	defer close(v.reported)
	for reporter := range v.asked {
		reporter.Report(v.machine)
		v.reported <- struct{}{}
	}
}

// stop calls Stop.
func (v *server) stop() {
	close(v.gone)
	if v.asked != nil {
		close(v.asked)
	}
	if v.server != nil {
		v.goes(v.server.Stop)
	}
}

// goes runs code of the server in a goroutine of its own. A panic of it ends the process,
// also without the overlay.
func (v *server) goes(code func()) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if value := recover(); value != nil {
				v.machine.dies(system.PanicError{Value: value, Stack: bubble.PanicStack()})
			}
		}()
		code()
	}()
	return done
}
