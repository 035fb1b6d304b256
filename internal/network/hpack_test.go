package network

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	require.NoError(t, err)
	return b
}

// The examples of RFC 7541: requests without and with Huffman codes (C.3, C.4), and
// answers with a table of 256 bytes, which evicts (C.5, C.6).
func TestExamplesOfTheRFC(t *testing.T) {
	for name, c := range map[string]struct {
		limit  int
		blocks []string
		want   []map[string]string
		size   int
	}{
		"C.3": {firstTable, []string{
			"8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
			"8286 84be 5808 6e6f 2d63 6163 6865",
			"8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
		}, requests, 164},
		"C.4": {firstTable, []string{
			"8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
			"8286 84be 5886 a8eb 1064 9cbf",
			"8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
		}, requests, 164},
		"C.5": {256, []string{
			"4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
			"4803 3330 37c1 c0bf",
		}, answers, 222},
		"C.6": {256, []string{
			"4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
			"4883 640e ffc1 c0bf",
		}, answers, 222},
	} {
		t.Run(name, func(t *testing.T) {
			r := fieldReader{limit: c.limit}
			for i, block := range c.blocks {
				fields, ok := r.read(unhex(t, block))
				require.True(t, ok)
				require.Equal(t, c.want[i], fields)
			}
			require.Equal(t, c.size, r.size)
		})
	}
}

var requests = []map[string]string{
	{":method": "GET", ":scheme": "http", ":path": "/", ":authority": "www.example.com"},
	{":method": "GET", ":scheme": "http", ":path": "/", ":authority": "www.example.com", "cache-control": "no-cache"},
	{":method": "GET", ":scheme": "https", ":path": "/index.html", ":authority": "www.example.com", "custom-key": "custom-value"},
}

var answers = []map[string]string{
	{":status": "302", "cache-control": "private", "date": "Mon, 21 Oct 2013 20:13:21 GMT", "location": "https://www.example.com"},
	{":status": "307", "cache-control": "private", "date": "Mon, 21 Oct 2013 20:13:21 GMT", "location": "https://www.example.com"},
}

func TestBadFields(t *testing.T) {
	for name, block := range map[string]string{
		"index 0": "80", "index beyond the tables": "be", "a number without end": "ffffffffffff7f", "a text that is cut": "400561",
		"a name that is cut": "40", "a table that is too large": "3fffffff7f", "a code that nobody has": "4084ffffffff00",
		"padding that is too long": "4082 1fff 00",
	} {
		_, ok := new(fieldReader).read(unhex(t, block))
		require.False(t, ok, name)
	}
	r := fieldReader{}
	_, ok := r.read(unhex(t, "4001610162 20 be"))
	require.False(t, ok, "nothing is in a table of 0 bytes")
}
