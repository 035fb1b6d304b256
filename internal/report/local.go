package report

// Local changes the names of files in the texts of a page: of those that lie where nobody
// will find them.
func (p *Page) Local(name func(string) string) {
	each := func(texts []string) {
		for i := range texts {
			texts[i] = name(texts[i])
		}
	}
	each(p.Warnings)
	for i := range p.Fields {
		each(p.Fields[i].Lines)
	}
	for i := range p.Rules {
		p.Rules[i].Place = name(p.Rules[i].Place)
	}
	for i := range p.Sets {
		each(p.Sets[i].Because)
	}
	for i := range p.Lineages {
		l := &p.Lineages[i]
		l.Text = name(l.Text)
		for k := range l.Nodes {
			l.Nodes[k].Text = name(l.Nodes[k].Text)
			each(l.Nodes[k].Notes)
		}
	}
	p.Fixed = name(p.Fixed)
}
