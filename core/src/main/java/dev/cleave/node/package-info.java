/** {@link dev.cleave.node.Node}, the facade that is client and server at once. Users begin here. */
@NullMarked
package dev.cleave.node;

import org.jspecify.annotations.NullMarked;
