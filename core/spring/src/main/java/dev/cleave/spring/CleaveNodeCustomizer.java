package dev.cleave.spring;

import dev.cleave.node.NodeOptions;

/** A bean that completes the options of the node, after the {@code cleave.*} properties have been applied. */
@FunctionalInterface
public interface CleaveNodeCustomizer {

    /** Returns the options to use. */
    NodeOptions customize(NodeOptions options);
}
