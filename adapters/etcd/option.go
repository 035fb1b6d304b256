package etcd

// Option is something about a system that is not as usual.
type Option func(*options)

type options struct {
	members []string
	wrap    []func(Node) Node
}

// Members says which processes the cluster begins with; without it, all. The others
// begin with nothing, and have to be added by a [ConfChange].
func Members(processes ...string) Option {
	return func(o *options) { o.members = processes }
}

// Wrap puts something around each node, once in each execution: usually a pointer
// to a struct that embeds the Node, and so has a method of its own for what
// happens on the way to it. What it keeps is in memory: its Restart has to forget
// that, and go on to that of the Node. Of several, the last is the outermost.
func Wrap(wrap func(Node) Node) Option {
	return func(o *options) { o.wrap = append(o.wrap, wrap) }
}
