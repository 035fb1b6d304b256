package process

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lineage-driven/ldfi/internal/network"
	"github.com/lineage-driven/ldfi/rounds/system"
)

// poll is what a node is asked again and again.
type poll struct {
	every   int // rounds
	url     string
	port    uint16
	request []byte
}

// polled is the state of a poll in an execution.
type polled struct {
	due  int    // the round in which the node is asked next
	id   uint64 // of the connection; 0: nothing is asked
	got  []byte
	over bool // the node writes no more
}

// The connections of polls have larger IDs than those that a host knows.
const firstPoll = 1 << 48

// mostPolled is how many bytes an answer has at most, and mostValues how many facts it
// becomes.
const (
	mostPolled = 4 << 20
	mostValues = 2000
)

// pollForm is how a poll is written.
const pollForm = "every 20 http://{ip}:8222/jsz"

// readPolls reads the polls of a node.
func (c *Cluster) readPolls(p *program) error {
	if len(p.Polls) > 0 && p.client {
		return errors.New("only servers are polled")
	}
	for _, text := range p.Polls {
		words := strings.Fields(text)
		if len(words) != 3 || words[0] != "every" {
			return fmt.Errorf("poll %q: expected a number of rounds and an address, as in %s", text, pollForm)
		}
		every, err := strconv.Atoi(words[1])
		if err != nil || every < 1 {
			return fmt.Errorf("poll %q: %s is no number of rounds, as in %s", text, words[1], pollForm)
		}
		address, err := c.expand(p, words[2])
		if err != nil {
			return fmt.Errorf("poll %q: %w", text, err)
		}
		u, err := url.Parse(address)
		if err != nil {
			return fmt.Errorf("poll %q: %w", text, err)
		}
		port, err := strconv.ParseUint("0"+u.Port(), 10, 16)
		switch {
		case u.Scheme != "http":
			return fmt.Errorf("poll %q: a poll is a GET of http://, as in %s", text, pollForm)
		case err != nil:
			return fmt.Errorf("poll %q: %s is no port", text, u.Port())
		case u.Hostname() != p.Name && u.Hostname() != network.Address(p.index).String():
			return fmt.Errorf("poll %q: a node is asked about itself, by {ip} or {name}, and not about %s", text, u.Hostname())
		case port == 0:
			port = 80
		}
		request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: ldfi\r\nAccept: */*\r\nConnection: close\r\n\r\n", u.RequestURI(), u.Host)
		p.polls = append(p.polls, poll{every, u.String(), uint16(port), []byte(request)})
	}
	return nil
}

// poll asks what is due, and takes the answers that the node can give at once. The others
// it takes in later rounds, until the node is asked the next time.
func (p *process) poll(s *system.Step) {
	switch {
	case len(p.polls) == 0:
		return
	case p.child == nil:
		p.polled, p.toPolls = nil, nil
		return
	}
	if p.polled == nil { // it has just started
		for _, ask := range p.polls {
			p.polled = append(p.polled, polled{due: s.Round() + ask.every - 1})
		}
	}
	for i, ask := range p.polls {
		a := &p.polled[i]
		if s.Round() < a.due {
			continue
		}
		if a.id != 0 {
			p.toPolls = append(p.toPolls, network.Event{Kind: 'X', ID: a.id})
			p.log([]string{fmt.Sprintf("ldfi: the poll of %s had no answer until the next", ask.url)})
		}
		p.asks++
		*a = polled{due: s.Round() + ask.every, id: firstPoll + p.asks}
		p.toPolls = append(p.toPolls, network.Event{Kind: 'D', ID: a.id, Bytes: p.endsOfPoll(ask.port)}, network.Event{Kind: 'B', ID: a.id, Bytes: ask.request})
	}
	for len(p.toPolls) > 0 && p.child != nil {
		others := p.events
		p.events, p.toPolls = p.toPolls, nil
		p.run(s, p.clock, p.clock)
		p.events = append(others, p.events...)
	}
	for i := range p.polled {
		p.answered(&p.polled[i], p.polls[i].url)
	}
}

// endsOfPoll returns where a connection comes from, an address that no node has, and where
// it goes.
func (p *process) endsOfPoll(port uint16) (ends []byte) {
	ends = append(ends, network.Address(len(p.cluster.All())).To4()...)
	ends = binary.LittleEndian.AppendUint16(ends, uint16(1024+p.asks%60000))
	ends = append(ends, network.Address(p.index).To4()...)
	return binary.LittleEndian.AppendUint16(ends, port)
}

// takePoll takes an event of the connection of a poll, and tells whether it is one.
func (p *process) takePoll(e network.Event) bool {
	if e.ID <= firstPoll {
		return false
	}
	for i := range p.polled {
		switch a := &p.polled[i]; {
		case a.id != e.ID: // it is over
		case e.Kind == 'B':
			a.got = append(a.got, e.Bytes...)
			if len(a.got) <= mostPolled {
				p.toPolls = append(p.toPolls, network.Event{Kind: 'w', ID: e.ID, Bytes: binary.LittleEndian.AppendUint32(nil, uint32(len(e.Bytes)))})
			}
		case e.Kind == 'c' || e.Kind == 'C' || e.Kind == 'X':
			a.over = true
		}
	}
	return true
}

// answered reports an answer, if it is whole.
func (p *process) answered(a *polled, from string) {
	if a.id == 0 {
		return
	}
	answer, body, whole := a.read()
	switch {
	case len(a.got) > mostPolled:
		p.log([]string{fmt.Sprintf("ldfi: the answer to the poll of %s is larger than %d MiB, and not taken", from, mostPolled>>20)})
	case !whole && !a.over:
		return
	case !whole && len(a.got) == 0:
		p.log([]string{fmt.Sprintf("ldfi: nobody listens to the poll of %s", from)})
	case !whole:
		p.log([]string{fmt.Sprintf("ldfi: the answer to the poll of %s is no answer of HTTP", from)})
	case answer.StatusCode != http.StatusOK:
		p.log([]string{fmt.Sprintf("ldfi: the answer to the poll of %s is %s", from, answer.Status)})
	default:
		p.values(from, answer.Header.Get("Content-Type"), body)
	}
	if !a.over && p.child != nil {
		p.toPolls = append(p.toPolls, network.Event{Kind: 'c', ID: a.id})
	}
	a.id, a.got = 0, nil
}

// read returns the answer, if it is whole.
func (a *polled) read() (answer *http.Response, body []byte, whole bool) {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(a.got)), nil)
	if err != nil {
		return nil, nil, false
	}
	var all bytes.Buffer
	_, err = all.ReadFrom(answer.Body)
	ends := answer.ContentLength >= 0 || len(answer.TransferEncoding) > 0 // by itself
	return answer, all.Bytes(), err == nil && (ends || a.over)
}

// values reports what is in the body of an answer.
func (p *process) values(from, kind string, body []byte) {
	var all []fact
	var err error
	if text := bytes.TrimSpace(body); len(text) > 0 && (text[0] == '{' || text[0] == '[') || strings.Contains(kind, "json") {
		all, err = jsonValues(body)
	} else {
		all, err = metricValues(string(body))
	}
	if err != nil {
		p.log([]string{fmt.Sprintf("ldfi: the answer to the poll of %s is neither JSON nor the text of Prometheus: %v", from, err)})
		return
	}
	if more := len(all) - mostValues; more > 0 {
		p.log([]string{fmt.Sprintf("ldfi: the answer to the poll of %s has %d values, of which the last %d are left out", from, len(all), more)})
		all = all[:mostValues]
	}
	p.tell("polled", from)
	p.told = append(p.told, all...)
}
