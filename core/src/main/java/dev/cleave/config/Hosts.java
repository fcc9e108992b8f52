package dev.cleave.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of hosts of a file: the addresses of the names by which the rest of the file calls them. */
final class Hosts {

    private final Map<String, String> addresses;

    private Hosts(Map<String, String> addresses) {
        this.addresses = Copies.inOrder(addresses);
    }

    static Hosts read(Section root) {
        Map<String, String> addresses = new LinkedHashMap<>();
        root.section("hosts").ifPresent(section -> section.names().forEach(name -> {
            String address = section.value(name, Values::host);
            if (address != null) {
                addresses.put(name, address);
            }
        }));
        return new Hosts(addresses);
    }

    /**
     * Returns the address of a replica's host.
     *
     * @param host as the replica names it; null if it names none, and its own name may be in the table
     */
    @Nullable
    String of(@Nullable String host, String replica) {
        return host == null ? addresses.get(replica) : addresses.getOrDefault(host, host);
    }

    /** Returns the endpoint of the broker with the address of its host. */
    String endpoint(String broker) {
        int begin = broker.indexOf("://") + 3;
        return broker.substring(0, begin)
                + Arrays.stream(broker.substring(begin).split(","))
                        .map(this::resolved)
                        .collect(Collectors.joining(","));
    }

    private String resolved(String each) {
        int end = each.indexOf(':');
        String host = each.substring(0, end < 0 ? each.length() : end);
        return addresses.getOrDefault(host, host) + (end < 0 ? "" : each.substring(end));
    }
}
