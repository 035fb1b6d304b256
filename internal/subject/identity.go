package subject

import (
	"path/filepath"

	"github.com/lineage-driven/ldfi/rounds"
)

// Identity is [Opened.Key] for versions of a subject that lie in different
// directories: the directory of the subject does not belong to it. Of a protocol
// it covers the files, with their names in that directory; of a system whatever
// host names: the program that the command starts. It is empty if host is.
func (o *Opened) Identity(host string) (string, error) { return o.identity(host) }

func (p *protocol) identity(string) (string, error) {
	var contents []content
	for _, file := range p.program.Files {
		name := file
		if local, err := filepath.Rel(p.dir, file); err == nil && p.dir != "" {
			name = local
		}
		contents = append(contents, contentOf(name, []byte(p.program.Text(file))))
	}
	return keyOf("version of a protocol", contents, struct {
		Bounds rounds.Bounds
		Goals  string
	}{p.bounds(), p.goals})
}

func (h *hosted) identity(host string) (string, error) {
	if host == "" {
		return "", nil
	}
	properties, err := h.subject.properties()
	if err != nil {
		return "", err
	}
	contents := []content{contentOf("", []byte(host))}
	for _, p := range properties {
		contents = append(contents, contentOf(p.Name, []byte(p.Rules.Text)))
	}
	s := h.subject
	return keyOf("version of a system", contents, struct {
		Name, Strategy string
		Bounds         map[string]string
		Executions     int
		Seed           uint64
	}{h.host.Name, s.Strategy, s.Bounds, s.Executions, s.Seed})
}
