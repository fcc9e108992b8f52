/** The port at which operators and their tools ask a node or broker how it is. */
@NullMarked
package dev.cleave.admin;

import org.jspecify.annotations.NullMarked;
