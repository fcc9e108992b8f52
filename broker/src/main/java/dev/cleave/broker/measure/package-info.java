/** Whether a later argument pays: from what servers record of large arguments. */
@NullMarked
package dev.cleave.broker.measure;

import org.jspecify.annotations.NullMarked;
