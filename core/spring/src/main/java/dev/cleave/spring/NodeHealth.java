package dev.cleave.spring;

import dev.cleave.node.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** The state that the health indicators of all versions of Spring Boot report. */
record NodeHealth(Node node, CleaveServices services) {

    /** Whether the node is connected to its broker. */
    boolean isUp() {
        return node.isConnected();
    }

    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("node", node.name());
        details.put("broker", node.isConnected() ? "connected" : "not connected");
        details.put("services", new TreeSet<>(services.bound().keySet()));
        details.put("pendingCalls", node.pendingCalls());
        return details;
    }
}
