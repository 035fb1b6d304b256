package subject

import "github.com/lineage-driven/ldfi/rounds"

// Identity is [Opened.Key] for versions of a subject that lie in different
// places: the names of files do not belong to it, and what it covers is the text
// of the program or, of a system, whatever host names: the program that the
// command starts. It is empty if host is. Answers to equal questions differ in no
// more than the positions of what is violated.
func (o *Opened) Identity(host string) (string, error) { return o.identity(host) }

func (p *protocol) identity(string) (string, error) {
	return keyOf("version of a protocol", []content{contentOf("", []byte(p.program.String()))}, struct {
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
		contents = append(contents, contentOf(p.Name, []byte(p.Rules)))
	}
	s := h.subject
	return keyOf("version of a system", contents, struct {
		Name, Strategy string
		Bounds         map[string]string
		Executions     int
		Seed           uint64
	}{h.host.Name, s.Strategy, s.Bounds, s.Executions, s.Seed})
}
