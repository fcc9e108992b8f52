/** Attackers without rights at a broker and a server with keys, and the check that they gain none. */
@NullMarked
package dev.cleave.lab.strangers;

import org.jspecify.annotations.NullMarked;
