package dev.cleave.broker.check.shop;

import dev.cleave.Serial;

/** An implementation that serves one call at a time. */
@Serial
public final class SerialShop extends RealShop {}
