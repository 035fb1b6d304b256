package network

import (
	"encoding/binary"
	"fmt"
	"net"
	"slices"
	"sync"
	"syscall"
)

// Event is what the program that uses the sockets of a host tells the host, or what the
// host tells a program that is in another process.
//
//	to the host
//	  L ends     listens, l ends  does so no more
//	  D id ends  dials, from and to
//	  a id       has accepted
//	  B id bytes writes, r id n  has read so many bytes
//	  c id       closes its direction, C id  closes both, X id  resets
//	  U ends     sends a datagram
//	to the program
//	  D id ends  somebody dials
//	  A id       is accepted, R id  is refused, T id  is not answered
//	  B id bytes arrive, w id n  so many bytes have been taken by the other end
//	  c id       the other end has closed its direction, X id  has reset
//	  U ends     a datagram arrives
//
// Ends are the address and port of the sender, then those of the receiver: 4 and 2 bytes
// each, ports and counts in little endian.
type Event struct {
	Kind  byte
	ID    uint64 // of the connection
	Bytes []byte
}

const (
	listens       = 'L'
	listensNot    = 'l'
	dials         = 'D'
	takes         = 'a'
	accepts       = 'A'
	refuses       = 'R'
	timesOut      = 'T'
	bytesArrive   = 'B'
	hasRead       = 'r'
	hasRoom       = 'w'
	endsWriting   = 'c'
	closes        = 'C'
	resets        = 'X'
	isDatagram    = 'U'
	sizeOfEnd     = 6
	mostElsewhere = 1 << 32 // connections that a program dials; the IDs of those that it accepts are larger
)

// Take does what a program in another process asks for. Its error says what is wrong with
// an event that no program sends.
func (h *Host) Take(e Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cut {
		return nil
	}
	switch e.Kind {
	case listens, listensNot, dials, isDatagram:
		if len(e.Bytes) < 2*sizeOfEnd {
			return fmt.Errorf("the event %q has %d bytes, and no two addresses", e.Kind, len(e.Bytes))
		}
		return h.takeEnds(e)
	case takes, bytesArrive, hasRead, endsWriting, closes, resets:
	default:
		return fmt.Errorf("there is no event %q", e.Kind)
	}
	c := h.byID[e.ID]
	if c == nil {
		return nil // it is over, and what the program says of it came late
	}
	switch e.Kind {
	case takes:
		for _, l := range h.listeners {
			l.waiting = slices.DeleteFunc(l.waiting, func(w *conn) bool { return w == c })
		}
	case bytesArrive:
		if len(c.out)+len(e.Bytes) > 2*buffer {
			return fmt.Errorf("connection %d writes more than its window", e.ID)
		}
		if !c.ended {
			c.out = append(c.out, e.Bytes...)
		}
	case hasRead:
		if len(e.Bytes) != 4 {
			return fmt.Errorf("connection %d has read a number of %d bytes", e.ID, len(e.Bytes))
		}
		c.held = max(c.held-int(binary.LittleEndian.Uint32(e.Bytes)), 0)
	case endsWriting:
		c.stopWriting()
	case closes:
		c.closed = true
		c.stopWriting()
	case resets:
		c.closed = true
		if c.id = 0; c.asking {
			c.fail(net.ErrClosed)
		} else {
			c.abort()
		}
		delete(h.byID, e.ID)
	}
	return nil
}

// Leave closes all sockets of a program that has ended, as an operating system does. What
// it has written is still sent.
func (h *Host) Leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Elsewhere = func(Event) {}
	h.listeners = nil
	for _, c := range slices.Clone(h.conns) {
		if c.id = 0; c.asking {
			c.fail(net.ErrClosed)
		} else {
			c.closed = true
			c.stopWriting()
		}
	}
	clear(h.byID)
}

// takeEnds takes an event with addresses.
func (h *Host) takeEnds(e Event) error {
	from, to := endOf(e.Bytes), endOf(e.Bytes[sizeOfEnd:])
	far := h.machine(to.IP)
	switch e.Kind {
	case listens:
		h.listeners = append(h.listeners, &listener{host: h, addr: from, network: "tcp", arrived: sync.NewCond(&h.mu)})
	case listensNot:
		h.listeners = slices.DeleteFunc(h.listeners, func(l *listener) bool { return l.addr.Port == from.Port && l.addr.IP.Equal(from.IP) })
	case dials:
		if far == "" || far == h.Name || h.byID[e.ID] != nil || e.ID == 0 || e.ID >= mostElsewhere {
			return fmt.Errorf("it dials %v as its connection %d", to, e.ID)
		}
		c := h.connection(&link{says: NewConversation(h.Text)}, dialing, far, from, to)
		c.network, c.asking, c.id = "tcp", true, e.ID
		h.byID[e.ID] = c
	case isDatagram:
		if far != "" && far != h.Name {
			h.datagrams = append(h.datagrams, &datagram{from: (*net.UDPAddr)(from), to: (*net.UDPAddr)(to), receiver: far,
				bytes: slices.Clone(e.Bytes[2*sizeOfEnd:]), text: h.Text})
		}
	}
	return nil
}

// notify tells a user elsewhere what happens to a connection.
func (c *conn) notify(kind byte, bytes []byte) {
	if c.id != 0 {
		c.host.Elsewhere(Event{kind, c.id, bytes})
	}
}

func (c *conn) notifyFailure(err error) {
	switch {
	case !c.asking:
		c.notify(resets, nil)
	case err == syscall.ETIMEDOUT:
		c.notify(timesOut, nil)
	default:
		c.notify(refuses, nil)
	}
}

// notifyRoom tells now and then how many bytes the other end has taken.
func (c *conn) notifyRoom(n int) {
	if c.owed += n; c.owed >= buffer/2 {
		c.notify(hasRoom, binary.LittleEndian.AppendUint32(nil, uint32(c.owed)))
		c.owed = 0
	}
}

// notifyDial tells a user elsewhere of a connection to one of its listeners.
func (h *Host) notifyDial(c *conn) {
	if h.Elsewhere == nil {
		return
	}
	h.accepted++
	c.id = mostElsewhere + h.accepted
	h.byID[c.id] = c
	c.notify(dials, endsOf(c.remote.IP, c.remote.Port, c.local.IP, c.local.Port))
}

func endOf(b []byte) *net.TCPAddr {
	return &net.TCPAddr{IP: net.IP(slices.Clone(b[:4])), Port: int(binary.LittleEndian.Uint16(b[4:]))}
}

func endsOf(from net.IP, fromPort int, to net.IP, toPort int) []byte {
	b := append(make([]byte, 0, 2*sizeOfEnd), from.To4()...)
	b = binary.LittleEndian.AppendUint16(b, uint16(fromPort))
	b = append(b, to.To4()...)
	return binary.LittleEndian.AppendUint16(b, uint16(toPort))
}
