package network

// lengths are the lengths of the codes of all bytes, in bits (RFC 7541, appendix B).
// The codes follow from them: shorter ones come first, those of one length in the
// order of the bytes.
var lengths = [256]byte{
	13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
	28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
	6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
	5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
	13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
	15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
	6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
	20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
	24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
	22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
	21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
	26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
	19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
	20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
	26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
}

const (
	shortestCode = 5
	longestCode  = 30
)

// codes are the codes by their lengths: the first one, and the bytes of all.
var codes = func() (all [longestCode + 1]struct {
	first uint32
	bytes []byte
}) {
	code := uint32(0)
	for n := shortestCode; n <= longestCode; n++ {
		code <<= 1
		all[n].first = code
		for b, length := range lengths {
			if int(length) == n {
				all[n].bytes = append(all[n].bytes, byte(b))
				code++
			}
		}
	}
	return all
}()

// expand returns the text that packed encodes. It is padded with ones to whole bytes.
func expand(packed []byte) (string, bool) {
	var text []byte
	code, n := uint32(0), 0
	for _, b := range packed {
		for bit := 7; bit >= 0; bit-- {
			code, n = code<<1|uint32(b>>bit&1), n+1
			if n > longestCode {
				return "", false
			}
			if i := code - codes[n].first; code >= codes[n].first && int(i) < len(codes[n].bytes) {
				text = append(text, codes[n].bytes[i])
				code, n = 0, 0
			}
		}
	}
	return string(text), n < 8 && code == 1<<n-1
}
