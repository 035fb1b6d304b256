package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual/disk"
)

// requestsWord stands for the file with the requests, on the disks of those that read it.
const requestsWord = "requests"

// requestsFile is its name there.
var requestsFile = path.Join(dataDir, requestsWord)

// readRequests reads the file with the requests, one in a line.
func (c *Cluster) readRequests() error {
	if c.Requests == "" {
		return nil
	}
	said, err := files.Read(below(c.Dir, c.Requests), files.Text)
	if err != nil {
		return fmt.Errorf("requests: %w", err)
	}
	c.script = slices.Collect(bytes.Lines(said))
	switch n := len(c.script); {
	case n == 0:
		return fmt.Errorf("requests: %s has no line", c.Requests)
	case n > rounds.MostRequests:
		return fmt.Errorf("requests: %s has %d lines, and there can be %d", c.Requests, n, rounds.MostRequests)
	}
	return nil
}

// checkRequests reports requests that nobody reads.
func (c *Cluster) checkRequests(all []*program) error {
	if c.Requests != "" && !slices.ContainsFunc(all, func(p *program) bool { return p.scripted }) {
		return fmt.Errorf("requests: no program reads %s: {%s} in the arguments of a client stands for the file on its disk", c.Requests, requestsWord)
	}
	return nil
}

// readsRequests takes note that a program reads the requests, and returns the name of their
// file.
func (p *program) readsRequests() (string, error) {
	switch {
	case p.cluster.Requests == "":
		return "", errors.New("there is no file with requests (--requests FILE)")
	case !p.client:
		return "", errors.New("clients read the requests, and this is a server")
	}
	if !p.scripted {
		p.scripted = true
		p.given = append(p.given, fact{"file", []any{requestsWord, sum(bytes.Join(p.cluster.script, nil))}})
	}
	return requestsFile, nil
}

// giveRequests writes the requests that are made in this execution to the disk of a program.
func (p *process) giveRequests(s *system.Step, d *disk.Disk) error {
	if !p.scripted {
		return nil
	}
	if _, err := d.Stat(requestsFile); err == nil {
		return fmt.Errorf("requests: there is a file %s on the disk already", requestsFile)
	}
	var text []byte
	for _, n := range s.Script() {
		text = append(text, p.cluster.script[n-1]...)
	}
	f, err := d.OpenFile(requestsFile, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	return d.Chtimes(requestsFile, p.cluster.Epoch, p.cluster.Epoch)
}
