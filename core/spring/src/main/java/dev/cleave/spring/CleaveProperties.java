package dev.cleave.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The {@code cleave.*} properties. Those without a value here are as {@link dev.cleave.node.Node#connect()} has them.
 *
 * @param enabled whether there is a node
 * @param broker the broker, cleave://host[:port]. Without it: the one of the application file, else
 *     cleave://localhost:7420, which is started in this process if none is there and cleave-broker is on the class path
 * @param config the application file: its balance is followed if it is a file
 * @param name the node's name, unique among the replicas of its services. Generated if there is none
 * @param host the host that the node tells other nodes: its address, as they see it
 * @param listenHost the host at which the node listens
 * @param port the port at which the node listens, 0 for any free one
 * @param insecure whether other machines may reach the node without encryption and identity
 * @param workers the number of calls that run at once
 * @param queue the number of calls that wait for a worker; more are refused
 * @param patience how long the start of the application waits for the broker
 * @param mdc the keys of SLF4J's MDC that travel with calls; both sides name them
 * @param inProcess whether broker and connections are in this process, for tests
 */
@ConfigurationProperties("cleave")
public record CleaveProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String broker,
        @Nullable Resource config,
        @Nullable String name,
        @Nullable String host,
        @Nullable String listenHost,
        @DefaultValue("0") int port,
        @DefaultValue("false") boolean insecure,
        @Nullable Integer workers,
        @Nullable Integer queue,
        @DefaultValue("30s") Duration patience,
        @DefaultValue List<String> mdc,
        @DefaultValue("false") boolean inProcess) {}
