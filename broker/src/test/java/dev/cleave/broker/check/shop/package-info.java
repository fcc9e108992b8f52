/** An application whose files are checked. */
package dev.cleave.broker.check.shop;
