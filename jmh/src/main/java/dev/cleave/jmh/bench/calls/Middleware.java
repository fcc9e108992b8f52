package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.bare.NettyContender;
import dev.cleave.jmh.bench.bare.SocketContender;
import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.peer.DubboContender;
import dev.cleave.jmh.bench.peer.GrpcContender;
import dev.cleave.jmh.bench.peer.KryoNetContender;
import dev.cleave.jmh.bench.peer.RSocketContender;
import dev.cleave.jmh.bench.peer.RmiContender;
import dev.cleave.jmh.bench.peer.ThriftContender;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The contenders. Those of other libraries stand in lambdas: the JVM that only names them has no such library. */
public enum Middleware {
    /** Blocking sockets, a thread for each connection. */
    FLOOR(SocketContender::new),
    /** Netty alone, answers on the event loop. */
    NETTY(NettyContender::plain),
    /** The same, what is sent together is flushed together. */
    NETTY_COALESCED(NettyContender::coalesced),
    /** Java RMI. */
    RMI(RmiContender::new),
    /** Thrift, framed and blocking. */
    THRIFT(() -> new ThriftContender()),
    /** gRPC-java. */
    GRPC(() -> GrpcContender.pools()),
    /** The same, without its thread pools. */
    GRPC_DIRECT(() -> GrpcContender.direct()),
    /** Dubbo 3. */
    DUBBO(() -> new DubboContender()),
    /** RSocket-java. */
    RSOCKET(() -> new RSocketContender()),
    /** KryoNet. */
    KRYONET(() -> new KryoNetContender()),
    /** Cleave, the client connected to the server by TCP, methods on workers. */
    CLEAVE(() -> CleaveContender.workers("echo"), Options.TCP),
    /** The same, small methods on the event thread. */
    CLEAVE_INLINE(() -> CleaveContender.inline("echo-inline"), Options.TCP),
    /** The same by unix domain socket, which is what two processes on one machine take unless they are told not to. */
    CLEAVE_UNIX(() -> CleaveContender.inline("echo-unix")),
    /** The same by datagrams beside TCP. */
    CLEAVE_UDP(() -> CleaveContender.datagrams("echo-udp"), Options.TCP),
    /** Cleave through its broker by TCP, small methods on the event thread. */
    CLEAVE_RELAY(() -> CleaveContender.inline(CleaveContender.RELAY), Options.TCP);

    private final Supplier<Contender> contender;
    private final List<String> options;

    Middleware(Supplier<Contender> contender, String... options) {
        this.contender = contender;
        this.options = List.of(options);
    }

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The options of its JVMs. */
    public List<String> options() {
        return options;
    }

    Contender contender() {
        return contender.get();
    }

    private static final class Options {

        private static final String TCP = "-Dcleave.samehost=tcp";
    }
}
