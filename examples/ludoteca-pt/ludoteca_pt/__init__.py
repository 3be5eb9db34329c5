"""Portuguese for Ludoteca: the catalogues lie in the folder ``pt``."""
