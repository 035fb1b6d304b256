package text

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSuggest(t *testing.T) {
	words := []string{"post", "pre", "member", "log", "ack", "ackn"}
	for word, want := range map[string]string{
		"psot": "post", "POST": "post", "membr": "member", "lg": "log", "loog": "log", "acc": "ack", "mmebers": "member",
		"post": "", "quorum": "", "x": "", "": "", strings.Repeat("post", 50): "",
	} {
		require.Equal(t, want, Suggest(word, words), word)
	}
	require.Equal(t, "crashes", Suggest("crashs", []string{"crash", "crashes"}), "whose end it has, too")
	require.Equal(t, "crash", Suggest("crahs", []string{"crashes", "crash"}))
	require.Equal(t, "cuts", Suggest("cut", []string{"cuts", "cat"}), "both are one slip away")
	require.Equal(t, "", Suggest("p", nil))
	require.Equal(t, ` (did you mean "post"?)`, DidYouMean("pots", words))
	require.Equal(t, "", DidYouMean("post", words))
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "xbc", 1}, {"kitten", "sitting", 3}} {
		require.Equal(t, c.want, distance(c.a, c.b), "%s %s", c.a, c.b)
		require.Equal(t, c.want, distance(c.b, c.a), "%s %s", c.b, c.a)
	}
}
