package dev.cleave.spring;

import dev.cleave.Remote;

/** A second interface. */
@Remote
public interface Orders {

    int open();
}
