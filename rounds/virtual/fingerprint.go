package virtual

import (
	"errors"
	"fmt"
	"testing/synctest"
)

// fingerprinted is a process whose states have names.
type fingerprinted struct{ *process }

// Fingerprint names the state of the machine: that of the server, of its network and of
// its disk.
func (p fingerprinted) Fingerprint() (name string) {
	if p.machine == nil {
		return "off; disk " + p.disk.Fingerprint()
	}
	network, err := p.machine.network.Fingerprint()
	if err == nil {
		p.bubble.Do(func() { name, err = p.server.fingerprint(p.options.Fingerprint) })
	}
	if err != nil {
		panic(fmt.Errorf("the server has no fingerprint: %w", err))
	}
	return fmt.Sprintf("%s; network %s; disk %s", name, network, p.disk.Fingerprint())
}

// fingerprint asks for the name of the state of the server.
func (v *server) fingerprint(of func(Server) string) (name string, err error) {
	select {
	case <-v.started:
	default:
		return "", errors.New("its Start has not returned")
	}
	done := v.goes(func() { name = of(v.server) })
	synctest.Wait()
	select {
	case <-done:
		return name, nil
	default:
		return "", errors.New("Fingerprint waits for something that does not happen in this round: it must only tell what is there")
	}
}
