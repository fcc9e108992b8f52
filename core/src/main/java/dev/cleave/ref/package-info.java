/**
 * Objects that stay where they are: what this node has given out, what it holds of others, and how long. Used by client,
 * server and node.
 */
@NullMarked
package dev.cleave.ref;

import org.jspecify.annotations.NullMarked;
