package syntax_test

import (
	"testing"

	"github.com/lineage-driven/ldfi/internal/syntax"
	"github.com/stretchr/testify/require"
)

var processes = []string{"a", "b", "c"}

func TestOf(t *testing.T) {
	for _, test := range []struct {
		patterns string
		links    []string
		around   string // the processes all of whose links are among them
	}{
		{"", nil, ""},
		{"a>b", []string{"a>b"}, ""},
		{"*>b,a>b", []string{"a>b", "c>b"}, ""},
		{" *>b, b>* ", []string{"a>b", "b>a", "b>c", "c>b"}, "b"},
		{"*>*", []string{"a>b", "a>c", "b>a", "b>c", "c>a", "c>b"}, "abc"},
	} {
		s, err := syntax.Links(processes, syntax.SplitLinks(test.patterns))
		require.NoError(t, err)
		var got []string
		around := ""
		for p, from := range processes {
			for q, to := range processes {
				if s.Has(p, q) {
					got = append(got, from+">"+to)
				}
			}
			if s.Around(p) {
				around += from
			}
		}
		require.Equal(t, test.links, got)
		require.Equal(t, len(got), s.Len())
		require.Equal(t, got == nil, s.Empty())
		require.Equal(t, test.around, around)
		require.False(t, s.Has(-1, 0) || s.Has(0, -1) || s.Has(3, 0) || s.Has(0, 3))
	}
}

func TestOfWrongPatterns(t *testing.T) {
	_, err := syntax.Links([]string{"alice", "bob"}, []string{"alice", "alicf>bob", "alice>alice", "alice>", "*>bob", "*>bob", "a>b>c"})
	require.EqualError(t, err, `"alice" is no link; write for example a>b, *>b or a>*
alicf>bob: there is no process "alicf" (did you mean "alice"?): the processes are alice, bob
alice>alice: a message of a process to itself is never lost
alice>: there is no process "": the processes are alice, bob
*>bob is named twice
a>b>c: there is no process "a": the processes are alice, bob`)
	_, err = syntax.Links([]string{"alone"}, []string{"*>*"})
	require.EqualError(t, err, "*>*: a message of a process to itself is never lost")
}

func TestText(t *testing.T) {
	require.Equal(t, "*>b,a>c", syntax.LinksText([]string{"a>c", "*>b", "a>c"}))
	require.Empty(t, syntax.LinksText(nil))
}

func TestMeaning(t *testing.T) {
	patterns := []string{"a>b", "*>b", "c>*"}
	for link, want := range map[string]string{"a>b": "a>b", "c>b": "*>b", "c>a": "c>*", "a>c": ""} {
		require.Equal(t, want, syntax.LinksMeant(patterns, link[:1], link[2:]), link)
	}
}

func TestEqual(t *testing.T) {
	of := func(patterns ...string) syntax.LinkSet {
		s, err := syntax.Links(processes, patterns)
		require.NoError(t, err)
		return s
	}
	require.True(t, of().Equal(syntax.LinkSet{}))
	require.True(t, of("*>b").Equal(of("c>b", "a>b")))
	require.False(t, of("*>b").Equal(of("a>b")))
	require.False(t, of("*>b").Equal(of()))
}
