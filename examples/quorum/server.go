// Package quorum is a small gRPC service of three servers, as anybody would write it
// (server.go and client.go, which know nothing of ldfi), and how it is put under ldfi
// (system.go). It loses an acknowledged update if two things go wrong: one server misses
// the update, and the one that clients use crashes, so that they come to the first.
package quorum

import (
	"context"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Server counts. It acknowledges an update when most of the three servers have it: when
// one of the others has answered.
type Server struct {
	Others  []*grpc.ClientConn
	Timeout time.Duration // of what it asks the others

	// Careful asks the others what they have before it answers clients, because it may
	// have missed something.
	Careful bool

	grpc  *grpc.Server
	mutex sync.Mutex
	value int64
}

// number is all that clients and servers send each other.
type number = wrapperspb.Int64Value

// method makes a method of the service.
func method(name string, do func(*Server, context.Context, int64) (int64, error)) grpc.MethodDesc {
	return grpc.MethodDesc{MethodName: name, Handler: func(s any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		in := new(number)
		if err := decode(in); err != nil {
			return nil, err
		}
		value, err := do(s.(*Server), ctx, in.GetValue())
		return wrapperspb.Int64(value), err
	}}
}

// service is what protoc would write of the service Counter.
var service = grpc.ServiceDesc{ServiceName: "quorum.Counter", HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{
	method("Add", (*Server).Add), method("Value", (*Server).Value), method("Raise", (*Server).Raise),
}}

// ask calls a method of a server.
func ask(ctx context.Context, c *grpc.ClientConn, method string, value int64) (int64, error) {
	out := new(number)
	err := c.Invoke(ctx, "/quorum.Counter/"+method, wrapperspb.Int64(value), out)
	return out.GetValue(), err
}

// Serve serves a listener until Stop is called.
func (s *Server) Serve(l net.Listener) error {
	s.mutex.Lock()
	s.grpc = grpc.NewServer()
	s.grpc.RegisterService(&service, s)
	s.mutex.Unlock()
	return s.grpc.Serve(l)
}

// Stop ends the server.
func (s *Server) Stop() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.grpc.Stop()
	for _, c := range s.Others {
		c.Close()
	}
}

// Last returns what this server has.
func (s *Server) Last() int64 { return s.raise(0) }

func (s *Server) raise(value int64) int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.value = max(s.value, value)
	return s.value
}

// Raise makes the value of this server at least so large, and returns it.
func (s *Server) Raise(ctx context.Context, value int64) (int64, error) {
	if ctx.Err() != nil { // who asked has given up
		return 0, ctx.Err()
	}
	return s.raise(value), nil
}

// Value returns the value.
func (s *Server) Value(ctx context.Context, _ int64) (int64, error) {
	if s.Careful {
		return s.most(ctx, s.Last())
	}
	return s.Last(), nil
}

// Add adds one, and returns the value.
func (s *Server) Add(ctx context.Context, _ int64) (int64, error) {
	value, err := s.Value(ctx, 0)
	if err != nil {
		return 0, err
	}
	return s.most(ctx, s.raise(value+1))
}

// most lets the others know a value, waits until one of them does, and returns the
// larger one of theirs and this.
func (s *Server) most(ctx context.Context, value int64) (int64, error) {
	type answer struct {
		value int64
		err   error
	}
	answers := make(chan answer, len(s.Others))
	for _, c := range s.Others {
		go func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Timeout)
			defer cancel()
			value, err := ask(ctx, c, "Raise", value)
			answers <- answer{value, err}
		}()
	}
	var last answer
	for range s.Others {
		if last = <-answers; last.err == nil {
			return s.raise(last.value), nil
		}
	}
	return 0, last.err
}
