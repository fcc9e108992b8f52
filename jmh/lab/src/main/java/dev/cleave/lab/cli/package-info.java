/** The laboratory's commands of {@code bin/cleave}: they break the product on purpose and check what it promises. */
@NullMarked
package dev.cleave.lab.cli;

import org.jspecify.annotations.NullMarked;
