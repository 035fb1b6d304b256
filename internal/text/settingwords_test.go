package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/internal/text"
)

func TestSettingWords(t *testing.T) {
	for settings, want := range map[string][]string{
		"":                                {},
		" eot=6\tcrashes=1\n":             {"eot=6", "crashes=1"},
		`delays=1 kinds=Vote,"PUT /kv" x`: {"delays=1", `kinds=Vote,"PUT /kv"`, "x"},
		`kinds="a \" b",c d`:              {`kinds="a \" b",c`, "d"},
		`kinds=a\ b`:                      {`kinds=a\`, "b"},
		`kinds="never closed d`:           {`kinds="never closed d`},
	} {
		require.Equal(t, want, text.SettingWords(settings), settings)
	}
}
