package process

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// StepLimits are the limits of the step protocol, as docs/wire.md says them.
var StepLimits = map[string]string{
	"an answer":                      fmt.Sprintf("%d MiB", mostStep>>20),
	"standard error with one answer": fmt.Sprintf("%d MiB", mostPrinted>>20),
	"memory":                         fmt.Sprintf("%d GiB", mostResident>>30),
	"processor time until an answer": fmt.Sprintf("%d s; seconds in which it fills %d MiB of memory or more do not count", mostCPU/1e9, fills>>20),
	"time until an answer":           fmt.Sprintf("%d s in which it could not go on if it had a processor", mostWait/1e9),
}

// MostResident sets how many bytes of memory a node may use, and returns how many it was.
func MostResident(n uint64) (before uint64) {
	before, mostResident = mostResident, n
	return before
}

// Raw is the process of a node, without its driver: what it is sent are bytes.
type Raw struct {
	Socket *os.File
	child  *child
}

// StartRaw starts the last node of a cluster, and sends what is on its disk.
func StartRaw(c Cluster) (*Raw, error) {
	c.Epoch, c.Tick = c.Epoch.UTC(), 1
	all, err := c.programs()
	if err != nil {
		return nil, err
	}
	p := &process{program: all[len(all)-1]}
	if p.disk, err = p.newDisk(nil); err != nil {
		return nil, err
	}
	child, err := p.launch(0, 1, 0)
	if err != nil {
		return nil, err
	}
	image := slices.Concat(binary.LittleEndian.AppendUint32(nil, uint32(len(child.image))), child.image)
	_, err = child.socket.Write(image)
	return &Raw{child.socket, child}, err
}

// Looks looks at a process so many times, and returns how long it is taken to have waited for
// something else than a processor.
func Looks(cmd *exec.Cmd, times int) time.Duration {
	w := newWatch(cmd)
	for range times {
		w.look()
	}
	return w.waited
}

// Kill ends the node.
func (r *Raw) Kill() { r.child.end() }

// Ends closes the socket, and returns how the node ends, which it has to do by itself, and
// what it has printed outside of its answers.
func (r *Raw) Ends() (status int, printed string) {
	r.Socket.Close()
	printed = r.child.ends()
	return statusOf(r.child.cmd), printed
}

// JSONFacts returns what a poll reports of an answer in JSON.
func JSONFacts(answer string) (all []string, err error) {
	facts, err := jsonValues([]byte(answer))
	for _, f := range facts {
		all = append(all, fmt.Sprint(f.args...))
	}
	return all, err
}

// LastWords returns what a program says last that prints these lines.
func LastWords(printed string) (words string) {
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\r\n")
		if said := wordsOf(words, line, logEntry(line)); said != "" {
			words = said
		}
	}
	return words
}
