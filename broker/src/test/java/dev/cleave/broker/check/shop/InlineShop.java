package dev.cleave.broker.check.shop;

import dev.cleave.Inline;

/** An implementation with a method that enters no queue. */
public final class InlineShop extends RealShop {

    @Inline
    @Override
    public int copies(String title) {
        return 2;
    }
}
