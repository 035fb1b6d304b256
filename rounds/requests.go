package rounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// requestsKey is the word for which requests of a script are made.
const requestsKey = "requests"

// noRequests is the setting of an execution in which no request of the script is made.
const noRequests = "none"

// MostRequests is how many requests a script has at most.
const MostRequests = 100_000

// Scripted returns the numbers of the requests that are made, of those that a script has
// (from 1, in order), and false if the settings do not say it: then all are made.
func (s Settings) Scripted() (numbers []int, given bool) {
	if s.Requests == "" || s.Requests == noRequests {
		return nil, s.Requests != ""
	}
	for _, item := range splitItems(s.Requests) {
		first, last, _ := strings.Cut(item, "..")
		from, _ := strconv.Atoi(first)
		to := from
		if last != "" {
			to, _ = strconv.Atoi(last)
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	return numbers, true
}

// SetScripted says which requests of a script are made.
func (s *Settings) SetScripted(numbers []int) {
	if len(numbers) == 0 {
		s.Requests = noRequests
		return
	}
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	var items []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		item := strconv.Itoa(numbers[i])
		if last > i {
			item = fmt.Sprintf("%d..%d", numbers[i], numbers[last])
		}
		items = append(items, item)
		i = last + 1
	}
	s.Requests = strings.Join(items, ",")
}

// requests reads which requests are made, as in 3,7..9 or none.
func (p *scheduleParser) requests(start int, all *Settings) {
	var numbers []int
	if !p.keyword(noRequests) {
		p.list(func(int) {
			from := p.request()
			to := from
			if p.space(); p.err == nil && strings.HasPrefix(p.text[p.at:], "..") {
				at := p.at
				p.at += len("..")
				if to = p.request(); to < from {
					p.fail(at, "the requests %d..%d run backwards", from, to)
				}
			}
			for n := from; p.err == nil && n <= to; n++ {
				if numbers = append(numbers, n); len(numbers) > MostRequests {
					p.fail(start, "there are at most %d requests", MostRequests)
				}
			}
		})
	}
	var made Settings
	made.SetScripted(numbers)
	if all.Requests != "" && all.Requests != made.Requests {
		p.fail(start, "there is requests %s already", all.Requests)
	}
	all.Requests = made.Requests
}

// request reads the number of a request.
func (p *scheduleParser) request() int {
	at, digits := p.digits("the number of a request, as in requests 3,7..9, or none")
	n, err := strconv.Atoi(digits)
	if p.err == nil && (err != nil || n < 1 || n > MostRequests) {
		p.fail(at, "%s: requests have the numbers 1 to %d", digits, MostRequests)
	}
	return n
}
