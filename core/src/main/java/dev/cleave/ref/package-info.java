/**
 * References to objects that stay in their node: which objects of this node peers hold, which objects of peers it
 * holds, and how long. Used by client, server and node.
 */
@NullMarked
package dev.cleave.ref;

import org.jspecify.annotations.NullMarked;
