package dev.cleave.jmh.bench.peer;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.FutureCaller;
import dev.cleave.jmh.bench.contender.Values;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/**
 * Dubbo 3 with its own protocol, {@code dubbo}, and its own codec, without a registry. It replaces {@code 127.0.0.1} by an
 * address that others reach, so it is told the other loopback address.
 */
public final class DubboContender implements Contender {

    private static final String LOGGER = "dubbo.application.logger";
    private static final String LOOPBACK = "::1";
    private static final int LONGEST = 1 << 30;
    private static final int PATIENCE_MILLIS = 60_000;

    private static final class Served implements DubboEcho {

        @Override
        public void nothing() {}

        @Override
        public long echo(long value) {
            return value;
        }

        @Override
        public byte[] bytes(byte[] value) {
            return value;
        }

        @Override
        public CompletableFuture<Long> echoLater(long value) {
            return CompletableFuture.completedFuture(value);
        }

        @Override
        public CompletableFuture<byte[]> bytesLater(byte[] value) {
            return CompletableFuture.completedFuture(value);
        }

        @Override
        public double ends(double[] values) {
            return Values.ends(values);
        }

        @Override
        public double[] doubles(int count) {
            return Values.served(count);
        }
    }

    @Override
    public String serve(String broker) throws IOException {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", freePort()); // it cannot tell which one the system chose
        protocol.setHost(LOOPBACK);
        protocol.setPayload(LONGEST);
        ServiceConfig<DubboEcho> service = new ServiceConfig<>();
        service.setInterface(DubboEcho.class);
        service.setRef(new Served());
        bootstrap().protocol(protocol).service(service).start();
        return Integer.toString(protocol.getPort());
    }

    @Override
    public Connected connect(String where) {
        ReferenceConfig<DubboEcho> reference = new ReferenceConfig<>();
        reference.setInterface(DubboEcho.class);
        reference.setUrl("dubbo://[" + LOOPBACK + "]:" + where + "/" + DubboEcho.class.getName());
        reference.setParameters(Map.of("payload", Integer.toString(LONGEST)));
        reference.setTimeout(PATIENCE_MILLIS);
        reference.setScope("remote");
        bootstrap().reference(reference).start();
        DubboEcho echo = reference.get();
        return () -> new DubboCaller(echo);
    }

    private static DubboBootstrap bootstrap() {
        System.setProperty(LOGGER, "slf4j"); // slf4j has no binding here: no output
        ApplicationConfig application = new ApplicationConfig("bench");
        application.setQosEnable(false);
        application.setEnableFileCache(false);
        application.setRegisterMode("instance");
        return DubboBootstrap.getInstance().application(application).registry(new RegistryConfig("N/A"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            return socket.getLocalPort();
        }
    }

    private record DubboCaller(DubboEcho echo) implements FutureCaller {

        @Override
        public void nothing() {
            echo.nothing();
        }

        @Override
        public long echo(long value) {
            return echo.echo(value);
        }

        @Override
        public byte[] echo(byte[] value) {
            return echo.bytes(value);
        }

        @Override
        public double ends(double[] values) {
            return echo.ends(values);
        }

        @Override
        public double[] doubles(int count) {
            return echo.doubles(count);
        }

        @Override
        public CompletableFuture<Long> send(long value) {
            return echo.echoLater(value);
        }

        @Override
        public CompletableFuture<byte[]> send(byte[] value) {
            return echo.bytesLater(value);
        }
    }
}
