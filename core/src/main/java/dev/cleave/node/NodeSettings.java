package dev.cleave.node;

import dev.cleave.call.InterfaceReader;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.RemoteMethod.Conduct;
import dev.cleave.call.RightsGuard;
import dev.cleave.client.Client;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.ApplicationFile;
import dev.cleave.config.Bindings;
import dev.cleave.config.ConfigException;
import dev.cleave.config.Style;
import dev.cleave.rt.Bounds;
import dev.cleave.rt.Sites;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Names;
import dev.cleave.wire.Reload;
import dev.cleave.wire.Reloaded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of a node that a changed application file applies while the node runs: how its stubs call, balance, rights, and the
 * emulated link. Calls that have begun end as they began. Thread-safe.
 */
final class NodeSettings {

    private static final System.Logger LOG = SafeLog.of(NodeSettings.class);

    private final String node;
    private final Bindings first;
    private final Client client;
    private final RightsGuard guard;
    private final InterfaceReader interfaces;
    private final EmulatedLinks links;
    private final Transport transport;

    NodeSettings(
            String node,
            Bindings first,
            Client client,
            RightsGuard guard,
            InterfaceReader interfaces,
            EmulatedLinks links) {
        this.node = node;
        this.first = first;
        this.client = client;
        this.guard = guard;
        this.interfaces = interfaces;
        this.links = links;
        transport = links.transport();
    }

    /** Receives a file that the broker passes on, applies it on a thread of its own, and answers. */
    void onReload(Link link, Reload said) {
        new Thread(
                        () -> {
                            Reloaded answer = new Reloaded(said.id(), List.of(Names.escaped(offered(said))));
                            link.write(answer.write(link.connection().allocator()));
                            link.flush();
                        },
                        "cleave-reload-" + node)
                .start();
    }

    /** Lets the rewritten code be as it was at the start of the node. */
    void close() {
        Sites.switchOffByFile(this, Set.of());
        Bounds.change(this, Map.of());
    }

    private String offered(Reload said) {
        try {
            Bindings changed = ApplicationFile.received(said.text());
            if (!first.isOfApplication(changed)) {
                return "untouched: it was started without this application's file";
            }
            List<String> left = change(changed);
            LOG.log(System.Logger.Level.INFO, "the application file was reloaded");
            return left.isEmpty() ? "applied" : "applied, but from its next start: " + String.join(", ", left);
        } catch (ConfigException | IllegalArgumentException e) {
            LOG.log(System.Logger.Level.ERROR, "{0}; nothing has changed", e.getMessage());
            return "refused: " + e.getMessage();
        }
    }

    /**
     * Applies a file.
     *
     * @return the settings in it that take a new start
     * @throws IllegalArgumentException if it does not fit the interfaces that are called
     */
    synchronized List<String> change(Bindings changed) {
        InterfaceReader next = new InterfaceReader(changed);
        InterfaceReader before = new InterfaceReader(first);
        Set<String> asWritten = new HashSet<>();
        Set<String> left = new TreeSet<>();
        Map<String, Integer> windows = new HashMap<>();
        client.change(
                contract -> { // read only: a mistake is found before anything changes
                    RemoteInterface unused = next.read(contract.service(), contract.type());
                    return contract;
                });
        client.rebalance(changed);
        interfaces.change(changed);
        client.change(contract -> {
            List<RemoteMethod> wanted =
                    next.read(contract.service(), contract.type()).methods();
            List<RemoteMethod> rewritten =
                    before.read(contract.service(), contract.type()).methods();
            List<RemoteMethod> methods = new ArrayList<>();
            for (RemoteMethod method : contract.methods()) {
                Conduct conduct = wanted.get(method.index()).conduct();
                Conduct start = rewritten.get(method.index()).conduct();
                if (conduct.window() != start.window()) {
                    windows.put(method.label(), conduct.window());
                }
                if (conduct.style() != start.style()) {
                    asWritten.add(method.label());
                    if (start.style() == Style.SYNC) {
                        left.add(method.label() + " " + conduct.style().name().toLowerCase(Locale.ROOT));
                    }
                }
                methods.add(method.called(conduct));
            }
            return contract.with(methods);
        });
        Sites.switchOffByFile(this, asWritten);
        Bounds.change(this, windows);
        guard.change(changed.security().rights(transport.identity()));
        if (links.change(node, changed)) {
            left.add("the emulated link");
        }
        return List.copyOf(left);
    }
}
